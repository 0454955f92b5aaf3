//! Sets the name by which programs find the shared library when they start, such as `libbleuprint.so.0`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let version = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    match system.as_str() {
        "linux" | "freebsd" | "android" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libbleuprint.so.{version}");
        }
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libbleuprint.{version}.dylib");
        }
        _ => {}
    }
}
