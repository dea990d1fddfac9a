//! The server: connections, requests, answers.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, Either, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue,
    LOCATION,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinError, spawn_blocking};
use tokio::time::{sleep, timeout};

use vato_engine::files;

use super::guard::{Guard, Refused, refuse};
use super::session::{SearchReports, Session};
use crate::pages::analysis_board;
use crate::service::{MAX_PGN_BYTES, Service};

/// The most connections at a time. A further one takes the place of the oldest that has not shown the token; else it is closed at once.
const MAX_CONNECTIONS: usize = 64;

/// The most that the head of a request may have, in bytes and in lines.
const MAX_HEAD_BYTES: usize = 16 << 10;
const MAX_HEADERS: usize = 64;

/// The time that a request may take to arrive: its head, and its body.
const HEAD_TIME: Duration = Duration::from_secs(5);
const BODY_TIME: Duration = Duration::from_secs(10);

/// The most bytes of a command. JSON writes some characters of a PGN file, such as line ends, as two.
const MAX_BODY_BYTES: usize = 2 * MAX_PGN_BYTES;

/// The wait after a connection that could not be accepted, as when there are too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why a server cannot be started.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address or port cannot be used.
    #[error("cannot listen at {address}: {}", listen_fault(error))]
    Listen {
        /// The address and port.
        address: SocketAddr,
        /// Error of the system.
        error: io::Error,
    },
    /// The system gives no random numbers for the token.
    #[error("no random numbers: {0}")]
    Random(getrandom::Error),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

fn listen_fault(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "the port is taken, perhaps by another 'vato gui'".to_owned(),
        _ => error.to_string(),
    }
}

/// The server of the analysis board.
///
/// It sends the page to everybody who can reach it, and nothing else: everything the page asks for needs the
/// token of [`Server::url`]. Requests of other sites, under other names, too large, too slow or too many are
/// refused. It reads and writes no files.
pub struct Server {
    listener: TcpListener,
    runtime: Runtime,
    shared: Arc<ServerState>,
}

struct ServerState {
    guard: Guard,
    session: Session,
    html: Bytes,
    policy: HeaderValue,
    address: SocketAddr,
}

impl Server {
    /// Starts to listen at an address, whose port 0 is any that is free.
    ///
    /// # Errors
    ///
    /// [`ServerError`].
    pub fn bind(address: SocketAddr, service: Arc<Service>) -> Result<Server, ServerError> {
        let listen = |error| ServerError::Listen { address, error };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        // The few requests of a page take turns on one thread; what may take longer has threads of its own.
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(4)
            .build()
            .map_err(ServerError::Thread)?;
        let session = Session::new(service);
        // A bookmark on another machine works after a restart, too.
        let folder = files::of_the_user().filter(|_| !address.ip().is_loopback());
        let kept = folder.map(|folder| folder.join("board-token"));
        let (html, policy) = analysis_board();
        Ok(Server {
            listener,
            runtime,
            shared: Arc::new(ServerState {
                guard: Guard::new(address, kept.as_deref()).map_err(ServerError::Random)?,
                session: session.map_err(ServerError::Thread)?,
                html: html.into(),
                policy: HeaderValue::try_from(policy)
                    .unwrap_or(HeaderValue::from_static("default-src 'none'")),
                address,
            }),
        })
    }

    /// The address of the page with the token. Browsers do not send the token on: it stands behind `#`.
    pub fn url(&self) -> String {
        self.url_with(&self.shared.guard.token)
    }

    /// An address that can be used once, for the arguments of a process, which others may see. An earlier one is
    /// not valid any longer.
    ///
    /// # Errors
    ///
    /// If the system gives no random numbers.
    pub fn url_for_once(&self) -> Result<String, ServerError> {
        let ticket = self.shared.guard.issue_ticket();
        Ok(self.url_with(&ticket.map_err(ServerError::Random)?))
    }

    /// The same for other machines, if it listens at all addresses of this one and there is a network.
    pub fn url_on_network(&self) -> Option<String> {
        let own = self.shared.address.ip();
        let outside: SocketAddr = match own {
            IpAddr::V4(_) => ([192, 0, 2, 1], 9).into(),
            IpAddr::V6(_) => ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], 9).into(),
        };
        // Nothing is sent: the system only chooses from which address it would be.
        let socket = UdpSocket::bind((own, 0)).ok()?;
        socket.connect(outside).ok()?;
        let ip = socket.local_addr().ok()?.ip();
        let is_other = own.is_unspecified() && !ip.is_unspecified() && !ip.is_loopback();
        is_other.then(|| self.url_at(ip, &self.shared.guard.token))
    }

    fn url_with(&self, secret: &str) -> String {
        let ip = match self.shared.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        self.url_at(ip, secret)
    }

    fn url_at(&self, ip: IpAddr, secret: &str) -> String {
        let mut address = self.shared.address;
        address.set_ip(ip);
        format!("http://{address}/#{secret}")
    }

    /// Serves pages until the process ends.
    ///
    /// # Errors
    ///
    /// If the system does not let it accept connections.
    pub fn run(self) -> io::Result<()> {
        let (listener, shared) = (self.listener, self.shared);
        self.runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
            let mut strangers: VecDeque<(AbortHandle, Arc<AtomicBool>)> = VecDeque::new();
            loop {
                let Ok((stream, _)) = listener.accept().await else {
                    sleep(ACCEPT_PAUSE).await;
                    continue;
                };
                strangers.retain(|(task, is_known)| {
                    !task.is_finished() && !is_known.load(Ordering::Relaxed)
                });
                if places.available_permits() == 0 {
                    let Some((oldest, _)) = strangers.pop_front() else {
                        continue;
                    };
                    oldest.abort();
                }
                let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                    continue;
                };
                let (shared, is_known) = (Arc::clone(&shared), Arc::<AtomicBool>::default());
                let knows = Arc::clone(&is_known);
                let task = tokio::spawn(async move {
                    serve(shared, stream, knows).await;
                    drop(place);
                });
                strangers.push_back((task.abort_handle(), is_known));
            }
        })
    }
}

/// The body of an answer: one that is known, or the reports of a search, as they come.
type Answer = Either<Full<Bytes>, SearchReports>;

/// Serves a connection; `is_known` is set once it has shown the token.
async fn serve(shared: Arc<ServerState>, stream: TcpStream, is_known: Arc<AtomicBool>) {
    // Lines of the engine are short, and are wanted at once.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let (shared, is_known) = (Arc::clone(&shared), Arc::clone(&is_known));
        async move { Ok::<_, Infallible>(answer(shared, request, &is_known).await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        log::debug!("connection: {error}");
    }
}

async fn answer(
    shared: Arc<ServerState>,
    request: Request<Incoming>,
    is_known: &AtomicBool,
) -> Response<Answer> {
    let policy = shared.policy.clone();
    let mut response = match route(shared, request, is_known).await {
        Ok(response) => response,
        Err(Refused(status, message)) => {
            let body = json!({ "error": message }).to_string();
            respond(status, "application/json", Either::Left(body.into()))
        }
    };
    let is_stranger = matches!(response.status().as_u16(), 401 | 403);
    let headers = response.headers_mut();
    if is_stranger {
        // It does not hold a connection that others may need.
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        let name = HeaderName::from_static(name);
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn route(
    shared: Arc<ServerState>,
    request: Request<Incoming>,
    is_known: &AtomicBool,
) -> Result<Response<Answer>, Refused> {
    let ok = |kind, body: Bytes| respond(StatusCode::OK, kind, Either::Left(body.into()));
    let (head, body) = request.into_parts();
    shared.guard.admit(&head.headers)?;
    if head.uri.authority().is_some() {
        return refuse(StatusCode::FORBIDDEN, "this server is no proxy");
    }
    if head.uri.path() == "/" && head.method == Method::GET {
        return Ok(ok("text/html; charset=utf-8", shared.html.clone()));
    }
    // A program has written the `#` of an address by its number.
    let hash = head.uri.path().strip_prefix("/%23");
    let place = hash.map(|hash| HeaderValue::try_from(format!("/#{hash}")));
    if let (Some(Ok(place)), &Method::GET) = (place, &head.method) {
        let mut response = respond(
            StatusCode::FOUND,
            "text/plain",
            Either::Left(Full::default()),
        );
        response.headers_mut().insert(LOCATION, place);
        return Ok(response);
    }
    if head.uri.path() == "/enter" {
        Guard::check_command(&head.method, &head.headers)?;
        let token = shared.guard.redeem_ticket(&head.headers)?;
        let body = json!({ "token": token }).to_string();
        return Ok(ok("application/json", body.into()));
    }
    shared.guard.authorise(&head.headers)?;
    is_known.store(true, Ordering::Relaxed);
    Guard::check_command(&head.method, &head.headers)?;
    let body = collect(body).await?;
    let path = head.uri.path().to_owned();
    let answered = spawn_blocking(move || shared.session.answer(&path, &body)).await;
    let failed =
        |error: JoinError| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string().into());
    Ok(match answered.map_err(failed)?? {
        Either::Left(json) => ok("application/json", json.into()),
        Either::Right(reports) => respond(
            StatusCode::OK,
            "application/x-ndjson",
            Either::Right(reports),
        ),
    })
}

async fn collect(body: Incoming) -> Result<Bytes, Refused> {
    let limited = Limited::new(body, MAX_BODY_BYTES);
    match timeout(BODY_TIME, limited.collect()).await {
        Err(_) => refuse(
            StatusCode::REQUEST_TIMEOUT,
            "the request did not arrive in time",
        ),
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => refuse(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("more than {MAX_BODY_BYTES} bytes"),
        ),
        Ok(Err(error)) => Err(error.to_string().into()),
    }
}

fn respond(status: StatusCode, kind: &'static str, body: Answer) -> Response<Answer> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
