//! Tells whether a callback of the host's runs on this thread already: one that uses its own `ToolSift` would call itself
//! without end.

use std::cell::RefCell;

thread_local! {
    /// The callbacks that this thread is running, by their addresses.
    static RUNNING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// A callback that runs on this thread until this is dropped, also by a panic of the host's.
pub(crate) struct Running;

impl Running {
    /// Notes that a callback runs; none where it does already. It must stay where it is meanwhile.
    pub(crate) fn start<T>(callback: &T) -> Option<Running> {
        let address = std::ptr::from_ref(callback).addr();
        RUNNING.with_borrow_mut(|running| {
            if running.contains(&address) {
                return None;
            }
            running.push(address);
            Some(Running)
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(|running| _ = running.pop());
    }
}
