//! Lets the fuzzer see the private parts that it compares with other crates.

fn main() {
    println!("cargo::rustc-cfg=toolsift_oracles");
    println!("cargo::rerun-if-changed=build.rs");
}
