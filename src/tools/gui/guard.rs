//! Which requests are let in.
//!
//! Other people on this machine can reach the port, and so can any web site that a browser on it shows. So a
//! request has to come from the server's own page, which the `Host` and `Origin` tell (another site can send
//! requests, also under a name that it points at this machine, but not with false ones), and it has to know
//! the token of the URL that was printed. The URL that the program opens itself has a ticket in its place: it is
//! an argument of the browser's process, which others may see, so it can be exchanged for the token only once.

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Method, StatusCode};

use vato_engine::memory::lock;

/// Requests that may come at once, and how many more each second.
const BURST: f64 = 300.0;
const PER_SECOND: f64 = 100.0;

/// The header by which browsers tell from where a request comes.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

const TICKET: &str = "once-";

const UNAUTHORISED: Refused = Refused(
    StatusCode::UNAUTHORIZED,
    Cow::Borrowed("open the address that 'vato gui' has printed"),
);

/// Why a request is not answered: a status and a message.
#[derive(Debug)]
pub(super) struct Refused(pub StatusCode, pub Cow<'static, str>);

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused(StatusCode::BAD_REQUEST, message.into())
    }
}

pub(super) fn refuse<T>(
    status: StatusCode,
    message: impl Into<Cow<'static, str>>,
) -> Result<T, Refused> {
    Err(Refused(status, message.into()))
}

pub(super) struct Guard {
    address: SocketAddr,
    /// Drawn at random, now or once.
    pub token: String,
    ticket: Mutex<Option<String>>,
    allowance: Mutex<(f64, Instant)>,
}

impl Guard {
    /// A guard of the server at this address, with the token that a file keeps, if one is given.
    pub fn new(address: SocketAddr, kept: Option<&Path>) -> Result<Guard, getrandom::Error> {
        Ok(Guard {
            address,
            token: kept.map_or_else(random_text, kept_text)?,
            ticket: Mutex::default(),
            allowance: Mutex::new((BURST, Instant::now())),
        })
    }

    /// A new ticket, which takes the place of the one before.
    pub fn issue_ticket(&self) -> Result<String, getrandom::Error> {
        let ticket = format!("{TICKET}{}", random_text()?);
        *lock(&self.ticket) = Some(ticket.clone());
        Ok(ticket)
    }

    /// Exchanges the ticket of a request for the token, once.
    pub fn redeem_ticket(&self, headers: &HeaderMap) -> Result<&str, Refused> {
        let mut ticket = lock(&self.ticket);
        if ticket.as_ref().is_some_and(|ticket| bears(headers, ticket)) {
            *ticket = None;
            return Ok(&self.token);
        }
        // The page of the browser that was opened says so, too.
        log::warn!("the address that was opened has been used before, or is wrong");
        Err(UNAUTHORISED)
    }

    /// Checks where a request comes from.
    pub fn admit(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let host = only(headers, &HOST).filter(|host| self.is_own(host));
        let Some(host) = host else {
            return refuse(StatusCode::FORBIDDEN, "the host is not this server");
        };
        let mut origins = headers.get_all(ORIGIN).iter();
        let is_own_origin = origins.all(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            origin.strip_prefix("http://") == Some(host)
        });
        let mut sites = headers.get_all(FETCH_SITE).iter();
        let is_own_site = sites.all(|site| site == "same-origin" || site == "none");
        match is_own_origin && is_own_site {
            true => Ok(()),
            false => refuse(StatusCode::FORBIDDEN, "the request comes from another site"),
        }
    }

    /// Checks that a request comes from one who knows the token, and that there are not too many. Nobody else's
    /// are counted: they cannot lock the board out.
    pub fn authorise(&self, headers: &HeaderMap) -> Result<(), Refused> {
        match bears(headers, &self.token) {
            false => Err(UNAUTHORISED),
            true if self.is_within_rate() => Ok(()),
            true => refuse(StatusCode::TOO_MANY_REQUESTS, "too many requests"),
        }
    }

    /// Checks the method and the type of a command.
    pub fn check_command(method: &Method, headers: &HeaderMap) -> Result<(), Refused> {
        if method != Method::POST {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "expected POST");
        }
        // A form of another site cannot send this type.
        match only(headers, &CONTENT_TYPE) == Some("application/json") {
            true => Ok(()),
            false => refuse(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected application/json",
            ),
        }
    }

    /// Whether this is a name of the server: its address, or `localhost`. A server for all addresses of the
    /// machine goes by each of them, but by no name, which another site could choose. Browsers leave port 80 out.
    fn is_own(&self, host: &str) -> bool {
        let with_port = format!("{host}:80");
        let has_port = host.rsplit(']').next().is_some_and(|end| end.contains(':'));
        let host = if has_port { host } else { &with_port };
        let local = format!("localhost:{}", self.address.port());
        if self.address.ip().is_loopback() && host == local {
            return true;
        }
        let host: Option<SocketAddr> = host.parse().ok();
        host.is_some_and(|host| {
            let is_its_address =
                self.address.ip().is_unspecified() || host.ip() == self.address.ip();
            is_its_address && host.port() == self.address.port()
        })
    }

    fn is_within_rate(&self) -> bool {
        let mut allowance = lock(&self.allowance);
        let now = Instant::now();
        let (left, since) = *allowance;
        let passed = now.duration_since(since).as_secs_f64();
        let left = (left + passed * PER_SECOND).min(BURST);
        let is_within = left >= 1.0;
        *allowance = (if is_within { left - 1.0 } else { left }, now);
        is_within
    }
}

/// 256 random bits as text.
fn random_text() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The random text in a file that only the user can read; a new one if there is none.
fn kept_text(path: &Path) -> Result<String, getrandom::Error> {
    if let Ok(text) = fs::read_to_string(path)
        && text.len() == 64
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        return Ok(text);
    }
    let text = random_text()?;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder)
        .and_then(|()| options.open(path))
        .and_then(|mut file| {
            // One that was there before may be open to others.
            #[cfg(unix)]
            file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
            file.write_all(text.as_bytes())
        });
    if let Err(error) = written {
        log::warn!("{}: the token is not kept: {error}", path.display());
    }
    Ok(text)
}

/// Whether a request has this secret. All bytes are compared, so that the time does not tell how many are right.
fn bears(headers: &HeaderMap, secret: &str) -> bool {
    let given = only(headers, &AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    let difference = given
        .bytes()
        .zip(secret.bytes())
        .fold(0, |sum, (given, right)| sum | (given ^ right));
    given.len() == secret.len() && difference == 0
}

/// The value of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().expect("an address"), None).expect("random numbers")
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = HeaderName::from_static(name);
            (name, value.parse().expect("a value"))
        });
        pairs.collect()
    }

    fn admits(guard: &Guard, pairs: &[(&'static str, &str)]) -> bool {
        guard.admit(&headers(pairs)).is_ok()
    }

    /// Browsers leave the usual port of HTTP out; a server for all addresses has no name.
    #[test]
    fn only_the_own_page_is_admitted() {
        let all = "\
            127.0.0.1:8000 | 127.0.0.1:8000 localhost:8000 | evil.example:8000 127.0.0.1 127.0.0.1:8001 127.0.0.2:8000 localhost localhost:8000.evil.example
            127.0.0.1:80 | 127.0.0.1 localhost 127.0.0.1:80 | evil.example 127.0.0.1:8000 127.0.0.2 [::2] ::1
            [::1]:80 | [::1] localhost [::1]:80 | evil.example 127.0.0.1:8000 127.0.0.2 [::2] ::1
            0.0.0.0:8000 | 192.168.7.7:8000 | evil.example:8000 localhost:8000 192.168.7.7:80";
        for line in all.lines() {
            let [address, own, others] = line.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let guard = guard(address.trim());
            for host in own.split(' ') {
                let origin = format!("http://{host}");
                assert!(admits(&guard, &[("host", host)]), "{host}");
                assert!(
                    admits(&guard, &[("host", host), ("origin", &origin)]),
                    "{host}"
                );
            }
            for host in others.split(' ').chain([""]) {
                assert!(!admits(&guard, &[("host", host)]), "{host}");
            }
        }
        let guard = guard("127.0.0.1:8000");
        assert!(!admits(&guard, &[]));
        for (name, value) in [
            ("origin", "http://evil.example"),
            ("origin", "https://127.0.0.1:8000"),
            ("origin", "null"),
            ("origin", "http://localhost:8000"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("host", "localhost:8000"),
        ] {
            let mut given = headers(&[("host", "127.0.0.1:8000")]);
            let value = value.parse().expect("a value");
            given.append(HeaderName::from_static(name), value);
            assert!(guard.admit(&given).is_err(), "{given:?}");
        }
    }

    #[test]
    fn the_token_is_needed_in_full() {
        let guard = guard("127.0.0.1:8000");
        let right = format!("Bearer {}", guard.token);
        assert_eq!(guard.token.len(), 64);
        assert_ne!(guard.token, self::guard("127.0.0.1:8000").token);
        let authorised = |value: &str| guard.authorise(&headers(&[("authorization", value)]));
        assert!(authorised(&right).is_ok());
        let longer = format!("{right}0");
        for wrong in ["", "Bearer ", &guard.token, &right[..70], &longer] {
            assert!(authorised(wrong).is_err(), "{wrong}");
        }
        assert!(guard.authorise(&HeaderMap::new()).is_err());
    }

    #[test]
    fn a_ticket_is_taken_once() {
        let guard = guard("127.0.0.1:8000");
        let redeem = |secret: &str| {
            let value = format!("Bearer {secret}");
            let headers = headers(&[("authorization", &value)]);
            guard.redeem_ticket(&headers).is_ok()
        };
        assert!(!redeem("") && !redeem(&guard.token));
        let ticket = guard.issue_ticket().expect("random numbers");
        assert!(redeem(&ticket) && !redeem(&ticket));
        let [old, new] = [(); 2].map(|()| guard.issue_ticket().expect("random numbers"));
        assert!(!redeem(&old) && redeem(&new));
    }

    #[test]
    fn a_flood_is_refused() {
        let guard = guard("127.0.0.1:8000");
        let admitted = (0..2000).filter(|_| guard.is_within_rate()).count();
        assert!((300..600).contains(&admitted), "{admitted}");
    }
}
