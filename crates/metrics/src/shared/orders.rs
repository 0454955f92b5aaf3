//! Limit of the highest n-gram order, and the check that statistics contain all n-gram orders that a metric
//! needs.

use bleuprint_core::{Result, StateKey};

/// Greatest n-gram order that a user can configure. It bounds the size of a metric's statistics.
pub(crate) const MAX_ORDER_LIMIT: usize = 1_000;

pub(crate) fn serves_orders_from(max_order: usize, own: &StateKey, key: &StateKey) -> Result<()> {
    if own == key {
        return Ok(());
    }
    let observed = key.get("order").and_then(|order| order.parse::<usize>().ok());
    match observed {
        // A state with more orders holds all counts of the lower ones, so the keys may differ in the order
        // alone.
        Some(order) if order >= max_order => {
            let mut own = own.clone();
            let params = own.parts.iter_mut().flat_map(|part| &mut part.params);
            params.filter(|(name, _)| name == "order").for_each(|(_, value)| *value = order.to_string());
            own.require_serves(key)
        }
        _ => own.require_serves(key),
    }
}
