//! Which characters the terminal at hand can show.

use std::env;

use vato::notation::Charset;

/// Plain ASCII if it is asked for or if the locale does not use UTF-8.
pub fn charset(ascii: bool) -> Charset {
    if ascii || !locale_is_utf8() {
        Charset::Ascii
    } else {
        Charset::Unicode
    }
}

/// Whether the locale uses UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides.
/// Windows has no such variables; its consoles are written to in Unicode.
fn locale_is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| env::var(name).ok())
        .find(|value| !value.is_empty());
    match locale {
        Some(locale) => {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        }
        None => cfg!(windows),
    }
}
