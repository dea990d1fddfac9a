//! `vato gui`: the analysis board in the browser.

use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use clap::Args;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use vato_engine::engine::{Settings, TableFiles};
use vato_engine::files;
use vato_engine::notation::format_fen;
use vato_engine::rules::Preset;
use vato_engine::tablebase::{TableFolders, TablebaseError};
use vato_tools::gui::{Server, ServerError};
use vato_tools::service::{MAX_PGN_BYTES, Opening, Service};

use super::games::open_indices;
use super::pgn::{numbered, read_game};
use super::support::arguments::{self, PositionArguments, SearchArguments, number};
use super::support::failure::{Context, Failure, stdout};

/// The port that is used if it is free, else the next one: what a browser keeps, such as one's own games, belongs to the port.
const USUAL_PORT: u16 = 8355;

/// Analyse and play in the browser
///
/// Serves a page on this machine and opens it: a board with variations and comments, the engine's best lines and
/// the tablebases, for analysis, games against the engine and files of games. Ctrl-C stops it.
///
/// The address contains a token, without which nothing is answered. It is printed on standard output, for
/// another browser, or if none can be opened.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato gui
  vato gui games.pgn
  vato gui games.pgn#3
  vato gui --games games.pgn
  vato gui --rules dimy
  vato gui --fen \"9/3b5/2w1b4/9/9 w 0 2\" --threads 4 --hash 256")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,

    /// Show the games of this file, the first one first; FILE#N: game N; or a link to a game
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "rules", "pgn"])]
    file: Option<PathBuf>,

    /// The same as FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "rules"])]
    pgn: Option<PathBuf>,

    /// Show what was played in each position in the games of this file; may be given several times
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,

    /// Port [default: 8355, or the next one that is free]
    #[arg(long, value_name = "N", value_parser = number::<u16>(..))]
    port: Option<u16>,

    /// Address to listen at; with any but the default, others on the network who have the token can connect
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,

    /// Address of a Vato page that others can open, for links to games; the browser keeps it; '' for the own address again
    #[arg(long, value_name = "URL", value_parser = site)]
    site: Option<String>,

    /// Only print the address; do not open a browser
    #[arg(long)]
    no_open: bool,

    #[command(flatten)]
    search: SearchArguments,

    /// Folder of tablebases; may be given several times; auto: where `vato tablebase build` writes; or none
    #[arg(long, value_name = "DIR", default_value = TableFolders::AUTO)]
    tablebases: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, start) = arguments.position.read()?;
    let file = arguments.file.as_deref().or(arguments.pgn.as_deref());
    let place = Opening {
        rules: Preset::name_of(&rules),
        start: format_fen(&start, rules.board),
        number: 1,
        ..Opening::default()
    };
    let (opening, link) = match file.map(|path| (path, path.to_str().and_then(link_of))) {
        None => (place, String::new()),
        Some((_, Some(link))) => (place, link),
        Some((path, None)) => opening_of(path, place)?,
    };
    let games = match arguments.games.as_slice() {
        [] => Vec::new(),
        files => open_indices(files)?,
    };
    let tables = TableFolders::of(arguments.tablebases.clone());
    // Folders that cannot be read are an error now, not when the engine first looks for them.
    match arguments::tables(&rules, &tables) {
        Ok(_) | Err(TablebaseError::Rules(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let engine = Settings {
        variant: Preset::Custom,
        custom_rules: rules,
        tables: Some(TableFiles::of(tables)),
        search: arguments.search.settings()?,
        ..Settings::default()
    };
    let address = arguments.address;
    if !address.is_loopback() {
        log::warn!("{address} can be reached over the network, and what is sent is not encrypted");
    }
    let mut service = Service::new(engine, opening);
    if !arguments.games.is_empty() && games.iter().all(|index| index.games() == 0) {
        log::warn!("--games: no game to show");
    }
    service.games = games;
    service.site = arguments.site.clone();
    let server = bind(arguments, &Arc::new(service))?;
    let mut out = stdout();
    writeln!(out, "{}{link}", server.url())?;
    let outside = server.url_on_network();
    if let Some(url) = &outside {
        writeln!(out, "{url}{link}")?;
    }
    if !address.is_loopback() && (outside.is_some() || !address.is_unspecified()) {
        // A link would make the picture wider than a terminal.
        write_picture(&mut out, &outside.unwrap_or(server.url()))?;
    }
    out.flush()?;
    if !arguments.no_open {
        let url = server.url_for_once()? + &link;
        // Starting a browser may take seconds, in which it already asks for the page.
        let opening = thread::Builder::new().spawn(move || {
            if let Err(error) = open::that_detached(&url) {
                log::warn!("cannot open a browser ({error}): open the address above in one");
            }
        });
        drop(opening.context("cannot open a browser")?);
    }
    server.run().context("the server failed")
}

/// A QR code of an address, by which a phone opens it.
fn write_picture(out: &mut impl Write, url: &str) -> io::Result<()> {
    let code = QrCode::new(url).map_err(io::Error::other)?;
    // Terminals are dark: what they write is light.
    let mut picture = code.render::<Dense1x2>();
    let picture = picture
        .dark_color(Dense1x2::Light)
        .light_color(Dense1x2::Dark);
    let picture = picture.build();
    writeln!(out, "{picture}")
}

/// The address of a page, to which a link to a game can be added.
fn site(text: &str) -> Result<String, String> {
    let is_page = ["http://", "https://"].iter().any(|scheme| {
        text.strip_prefix(scheme)
            .is_some_and(|rest| !rest.is_empty())
    });
    if text.is_empty()
        || is_page && !text.contains(|sign: char| sign == '#' || sign.is_whitespace())
    {
        return Ok(text.to_owned());
    }
    Err("expected the address of a page, such as https://example.org/vato/".to_owned())
}

/// A server at the port that is asked for, or at a usual one.
fn bind(arguments: &Arguments, service: &Arc<Service>) -> Result<Server, ServerError> {
    let at = |port| Server::bind((arguments.address, port).into(), Arc::clone(service));
    let usual = at(arguments.port.unwrap_or(USUAL_PORT));
    if arguments.port.is_some() || !matches!(usual, Err(ServerError::Listen { .. })) {
        return usual;
    }
    let mut others = (USUAL_PORT + 1..USUAL_PORT + 10).chain([0]);
    // If no port is free there, the address is wrong: that of the usual port is named.
    let Some(other) = others.find_map(|port| at(port).ok()) else {
        return usual;
    };
    log::warn!(
        "port {USUAL_PORT} is taken, perhaps by another 'vato gui': the games and settings that the browser keeps for that \
         port are not those of this one"
    );
    Ok(other)
}

/// Of a link to a game, which may be given instead of a file or stand in it, what the page reads behind the token.
fn link_of(text: &str) -> Option<String> {
    // Some programs write signs of an address by their numbers.
    let text = text.replace("%23", "#").replace("%26", "&");
    let text = text.replace("%3D", "=").replace("%3d", "=");
    let (before, link) = text.split_once("#game=")?;
    let is_link = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=&.".contains(&byte);
    // That of a tag or a comment is not the game of the file.
    let is_meant = !before.contains(['[', '{']) && link.trim_end().bytes().all(is_link);
    is_meant.then(|| format!("&game={}", link.trim_end()))
}

/// The games of a file, of which the one named is shown first, or a link that it holds in their place. What cannot be read the
/// page names.
fn opening_of(path: &Path, place: Opening) -> Result<(Opening, String), Failure> {
    let with_games = |opening: Result<Opening, String>| opening.map(|one| (one, String::new()));
    let (file, number) = numbered(path);
    let length = fs::metadata(&file).map_or(0, |file| file.len());
    let shown = file.display();
    if length <= MAX_PGN_BYTES as u64 {
        let pgn = files::read(&file).map_err(Failure::cannot_read(&shown))?;
        if let Some(link) = link_of(&String::from_utf8_lossy(&pgn)) {
            return Ok((place, link));
        }
        return with_games(Opening::of_games(&pgn, number)).context(shown);
    }
    let found = read_game(path).map_err(Failure::Error)?;
    let most = MAX_PGN_BYTES >> 20;
    log::warn!("{shown} is larger than {most} MiB: the board has game {number} alone");
    let opening = Opening::of_games(found.record.to_string().as_bytes(), 1);
    with_games(opening).context(shown)
}
