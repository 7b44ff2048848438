//! Seeds the hash maps of the core with random numbers from JavaScript, once, when the wasm module starts.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(bytes: &mut [u8]) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_namespace = Math)]
    fn random() -> Result<f64, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Date)]
    fn now() -> Result<f64, JsValue>;
}

/// Runs when the module starts.
#[wasm_bindgen(start)]
pub fn start() {
    toolsift::bindings::seed([draw(), draw()]);
}

/// Returns a random number. Workers refuse `crypto.getRandomValues` outside of a request, where a module usually
/// starts. There, `Math.random` is used: it is not secret from the page itself, but those who only send tools or
/// queries cannot see it.
fn draw() -> u64 {
    let mut bytes = [0; 8];
    if get_random_values(&mut bytes).is_ok() {
        return u64::from_le_bytes(bytes);
    }
    let weak = random().unwrap_or_default().to_bits() ^ random().unwrap_or_default().to_bits().rotate_left(32);
    weak ^ now().unwrap_or_default().to_bits()
}
