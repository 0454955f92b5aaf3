//! What metrics of n-grams share: the highest order, and which states serve lower ones.

use bleuprint_core::{Result, StateKey};

/// The greatest order that can be asked for. It bounds the size of a state.
pub(crate) const MAX_ORDER_LIMIT: usize = 1_000;

/// Whether a metric of `own` key, which reads orders up to `max_order`, can finish states of `key`.
pub(crate) fn serves_orders_from(max_order: usize, own: &StateKey, key: &StateKey) -> Result<()> {
    let observed = key.get("order").and_then(|order| order.parse::<usize>().ok());
    match observed {
        Some(order) if order >= max_order => own.clone().with("order", order).require_serves(key),
        _ => own.require_serves(key),
    }
}
