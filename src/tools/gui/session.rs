//! The searches of the pages: an engine for each page that searches, and its reports as they come.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http_body_util::Either;
use hyper::StatusCode;
use hyper::body::{Body, Bytes, Frame};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::guard::{Refused, refuse};
use crate::play::{SearchEvent, SearchRequest, SearchThread};
use crate::service::{self, Service};
use vato_engine::engine::Settings;
use vato_engine::memory::lock;
use vato_engine::rules::Game;

/// The most searches at a time. Browsers have six connections to a server: two are left for other requests.
const MAX_SEARCHES: usize = 4;

/// How many reports may wait for a page; further lines are left out, as later ones say more.
const WAITING_REPORTS: usize = 1024;

pub(super) struct Session {
    pub service: Arc<Service>,
    seats: Mutex<Vec<Seat>>,
    running: Arc<Searches>,
    /// The number of the next search.
    searches: AtomicU64,
}

/// The searches that run, by their numbers: the game that is searched, and the page that is told.
type Searches = Mutex<HashMap<u64, (Game, Sender<Bytes>)>>;

/// An engine: the page that it has searched for last, and that search.
struct Seat {
    page: u64,
    search: u64,
    engine: SearchThread,
}

/// The answer to a command: JSON, or the reports of a search, as they come.
pub(super) type Reply = Either<Vec<u8>, SearchReports>;

/// The reports of a search, a line of JSON each: lines, and an end. Dropping it ends the search.
pub(super) struct SearchReports {
    reports: Receiver<Bytes>,
    number: u64,
    session: Arc<Session>,
}

impl Body for SearchReports {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let report = self.get_mut().reports.poll_recv(context);
        report.map(|report| report.map(|report| Ok(Frame::data(report))))
    }
}

impl Drop for SearchReports {
    fn drop(&mut self) {
        self.session.end(self.number);
    }
}

impl Session {
    /// The searches of a service's pages.
    pub fn new(service: Arc<Service>) -> io::Result<Session> {
        let session = Session {
            service,
            seats: Mutex::default(),
            running: Arc::default(),
            searches: AtomicU64::new(1),
        };
        // The first search does not wait for its engine.
        let first = session.new_seat()?;
        lock(&session.seats).push(first);
        Ok(session)
    }

    fn new_seat(&self) -> io::Result<Seat> {
        let (service, running) = (Arc::clone(&self.service), Arc::clone(&self.running));
        let tell = move |number, event| tell(&service, &running, number, &event);
        Ok(Seat {
            page: 0,
            search: 0,
            engine: SearchThread::spawn(self.service.settings(), tell)?,
        })
    }

    /// Answers a command of the page.
    pub fn answer(self: &Arc<Self>, route: &str, body: &[u8]) -> Result<Reply, Refused> {
        match self.service.answer(route, body)? {
            Some(service::Reply::Json(json)) => Ok(Either::Left(json)),
            Some(service::Reply::Search(page, request)) => self.search(page, *request),
            None => refuse(StatusCode::NOT_FOUND, "no such page"),
        }
    }

    /// Starts a search instead of the page's running one; of a finished game it reports no turn.
    fn search(self: &Arc<Self>, page: u64, mut request: SearchRequest) -> Result<Reply, Refused> {
        let mut seats = lock(&self.seats);
        let mut running = lock(&self.running);
        let unavailable =
            |error: io::Error| Refused(StatusCode::SERVICE_UNAVAILABLE, error.to_string().into());
        // The page's own engine still knows its game.
        let own = seats.iter().position(|seat| seat.page == page);
        let idle = |seat: &Seat| !running.contains_key(&seat.search);
        let place = match own.or_else(|| seats.iter().position(idle)) {
            Some(place) => place,
            None if seats.len() >= MAX_SEARCHES => {
                let message = format!("{MAX_SEARCHES} other pages are searching: stop one of them");
                return refuse(StatusCode::SERVICE_UNAVAILABLE, message);
            }
            None => {
                seats.push(self.new_seat().map_err(unavailable)?);
                seats.len() - 1
            }
        };
        let resources = |settings: &Settings| (settings.search.threads, settings.search.hash_mib);
        if resources(&seats[place].engine.settings) != resources(&self.service.settings()) {
            running.remove(&seats[place].search);
            seats[place] = self.new_seat().map_err(unavailable)?;
        }
        let number = self.searches.fetch_add(1, Ordering::Relaxed);
        let (sender, reports) = channel(WAITING_REPORTS);
        let seat = &mut seats[place];
        running.remove(&seat.search);
        running.insert(number, (request.game.clone(), sender));
        (seat.page, seat.search) = (page, number);
        request.id = number;
        seat.engine.search(request);
        Ok(Either::Right(SearchReports {
            reports,
            number,
            session: Arc::clone(self),
        }))
    }

    /// Ends a search that nobody listens to any longer.
    fn end(&self, number: u64) {
        let mut seats = lock(&self.seats);
        lock(&self.running).remove(&number);
        if let Some(seat) = seats.iter_mut().find(|seat| seat.search == number) {
            seat.engine.stop();
        }
    }
}

/// Tells the page of a search; what belongs to one that has ended is dropped.
fn tell(service: &Service, running: &Searches, number: u64, event: &SearchEvent) {
    let mut running = lock(running);
    let Some((game, page)) = running.get(&number) else {
        return;
    };
    // Room is kept for the end.
    if matches!(event, SearchEvent::Line(_)) && page.capacity() < 2 {
        return;
    }
    let Some((report, is_last)) = service.report(game, event) else {
        return;
    };
    let _ = page.try_send(Bytes::from(report));
    if is_last {
        running.remove(&number);
    }
}
