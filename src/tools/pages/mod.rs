//! Pages for browsers, each one HTML file with all that it needs.
//!
//! A [`Report`] is read without server and network: the data as JSON, the style, the script. The page of the
//! analysis board ([`analysis_board`]) has no data of its own: it asks its server. The scripts know nothing of
//! the rules: with each move comes what it captures. Nothing of the data ever becomes markup: `<` is escaped in
//! it, the scripts only set text, and the content security policy allows no other script than the page's own,
//! and no request but those to the page's own server.

/// A script with the texts and what all pages share before it.
macro_rules! script {
    ($($file:literal),+) => {
        concat!(
            "\"use strict\";\nconst TEXTS = ",
            include_str!("texts.json"),
            ";\n",
            include_str!("page.js"),
            include_str!("board.js"),
            include_str!("moves.js"),
            $(include_str!($file)),+
        )
    };
}

#[cfg(feature = "board")]
mod analysis;
mod game;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

#[cfg(feature = "board")]
pub use analysis::{analysis_board, web_board};
pub use game::ReportGame;
#[cfg(feature = "board")]
pub(crate) use game::{turn_word, turn_words};

use crate::review::PlayerReview;

const STYLE: &str = include_str!("style.css");

const SCRIPT: &str = script!("match.js", "game.js", "report.js");

/// A report of games: analysed ones, or those of a match.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// What it is about, such as the name of a file.
    pub title: String,
    /// The games, in their order.
    pub games: Vec<ReportGame>,
    /// How many games are left out, as they are invalid.
    pub left_out: u64,
    /// How everybody has played in analysed games, the most accurate first.
    pub players: Vec<ReportPlayer>,
    /// Of a running match: after how many seconds the page is loaded again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<u64>,
    /// The result of a match, as `vato match --json` prints it, with what only the report shows.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub contest: Option<Value>,
}

/// How somebody has played in several games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportPlayer {
    /// The name, if it is known.
    pub name: Option<String>,
    /// The number of games.
    pub games: u64,
    /// All of them summed up.
    #[serde(flatten)]
    pub play: PlayerReview,
}

impl Report {
    /// The report as an HTML document.
    ///
    /// # Errors
    ///
    /// If the data cannot be written as JSON, which no data of this crate causes.
    pub fn html(&self) -> serde_json::Result<String> {
        let data = inert(&serde_json::to_string(self)?);
        let data = format!(
            "<noscript>This report is drawn by a script in the file itself: allow scripts to see it.</noscript>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n"
        );
        Ok(page(&policy(SCRIPT), "", &data, SCRIPT))
    }
}

/// The content security policy of a page with this script: no request.
fn policy(script: &str) -> String {
    let [style, script] = [STYLE, script].map(digest);
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'; \
         form-action 'none'"
    )
}

/// The document of a script, with more in its head, and markup before the script.
fn page(policy: &str, head: &str, before: &str, script: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!doctype html>\n\
         <html lang=\"en\">\n\
         <head>\n\
         <meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Vato {version}\">\n\
         <meta name=\"theme-color\" content=\"#f7f3ea\">\n\
         <title>Vato</title>\n\
         {head}\
         <style>{STYLE}</style>\n\
         </head>\n\
         <body>\n\
         {before}\
         <script>{script}</script>\n\
         </body>\n\
         </html>\n"
    )
}

/// JSON without anything that could end a script or begin a comment or a line.
fn inert(json: &str) -> String {
    let json = json.replace('<', "\\u003c").replace('>', "\\u003e");
    json.replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// The SHA-256 of a text in Base64, as content security policies have it.
fn digest(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let hash = Sha256::digest(text.as_bytes());
    let mut written = String::new();
    for bytes in hash.chunks(3) {
        let group = bytes.iter().enumerate().fold(0, |group, (place, &byte)| {
            group | u32::from(byte) << (16 - 8 * place)
        });
        for digit in 0..4 {
            let value = group >> (18 - 6 * digit) & 63;
            written.push(match digit <= bytes.len() {
                true => char::from(DIGITS[value as usize]),
                false => '=',
            });
        }
    }
    written
}

#[cfg(test)]
mod tests;
