//! The network in the engine: the file that VATO_EVALFILE names, by an absolute path, else the standard one.

fn main() {
    println!("cargo::rerun-if-env-changed=VATO_EVALFILE");
    let file = std::env::var("VATO_EVALFILE").unwrap_or_default();
    let file = if file.is_empty() {
        "standard.net"
    } else {
        &file
    };
    println!("cargo::rustc-env=VATO_EVALFILE={file}");
}
