//! [`FlowStates`]: for every variable, the positions at which it last got its value, at one point of a
//! program.

use std::cell::RefCell;
use std::rc::Rc;

use ahash::HashMap;

/// Positions at which each variable last got its value, in ascending order, indexed by variable name. Clones
/// share their content and see each other's changes, until [`FlowStates::own`] makes a private copy.
#[derive(Debug, Clone, Default)]
pub(super) struct FlowStates(Rc<RefCell<HashMap<u32, Vec<u32>>>>);

impl FlowStates {
    pub(super) fn own(self) -> FlowStates {
        // The only handle needs no copy.
        match Rc::try_unwrap(self.0) {
            Ok(map) => FlowStates(Rc::new(map)),
            Err(shared) => FlowStates(Rc::new(RefCell::new(shared.borrow().clone()))),
        }
    }

    pub(super) fn copy(&self) -> FlowStates {
        self.clone().own()
    }

    pub(super) fn get(&self, name: u32) -> Option<Vec<u32>> {
        self.0.borrow().get(&name).cloned()
    }

    pub(super) fn set(&self, name: u32, position: u32) {
        self.0.borrow_mut().insert(name, vec![position]);
    }

    pub(super) fn union(all: &[FlowStates]) -> FlowStates {
        let mut united: HashMap<u32, Vec<u32>> = HashMap::default();
        for states in all {
            for (name, positions) in states.0.borrow().iter() {
                united.entry(*name).or_default().extend(positions);
            }
        }
        for positions in united.values_mut() {
            positions.sort_unstable();
            positions.dedup();
        }
        FlowStates(Rc::new(RefCell::new(united)))
    }
}
