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
        if Running::is_running(callback) {
            return None;
        }
        RUNNING.with_borrow_mut(|running| running.push(std::ptr::from_ref(callback).addr()));
        Some(Running)
    }

    /// Whether a callback runs on this thread.
    pub(crate) fn is_running<T>(callback: &T) -> bool {
        RUNNING.with_borrow(|running| running.contains(&std::ptr::from_ref(callback).addr()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(|running| _ = running.pop());
    }
}
