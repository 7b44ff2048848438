//! Detects that a callback of the host is running on this thread already: a callback that uses its own `ToolSift` would
//! call itself without end.

use std::cell::RefCell;

thread_local! {
    /// The addresses of the callbacks that are running on this thread.
    static RUNNING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Marks a callback as running until this is dropped, also when the callback panics.
pub(crate) struct Running;

impl Running {
    /// Marks a callback as running, or returns `None` if it is running already. It must not be moved until then.
    pub(crate) fn start<T>(callback: &T) -> Option<Running> {
        if Running::is_running(callback) {
            return None;
        }
        RUNNING.with_borrow_mut(|running| running.push(std::ptr::from_ref(callback).addr()));
        Some(Running)
    }

    /// Returns true if the callback is running on this thread.
    pub(crate) fn is_running<T>(callback: &T) -> bool {
        RUNNING.with_borrow(|running| running.contains(&std::ptr::from_ref(callback).addr()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(|running| _ = running.pop());
    }
}
