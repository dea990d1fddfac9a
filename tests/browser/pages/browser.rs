//! Chromium, driven over its debugging protocol.

use std::collections::VecDeque;
use std::fs;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// How long anything may take, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Short names for what the tests ask a page.
const NAMES: &str = "globalThis.$ = (selector) => document.querySelector(selector); \
    globalThis.$$ = (selector) => [...document.querySelectorAll(selector)]; \
    globalThis.$seen = (selector) => $$(selector).filter((one) => one.checkVisibility()); \
    globalThis.$box = (selector) => $(selector).getBoundingClientRect(); \
    globalThis.$texts = (selector) => $$(selector).map((one) => one.textContent); \
    globalThis.$button = (text) => $$('button').find((one) => one.textContent === text);";

/// The browser that tests share while one of them has a page: to start one takes longer than most of them.
static SHARED: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

/// Chromium. It ends with the last of its pages.
struct Browser {
    process: Child,
    port: String,
    /// Where it listens, on that port.
    path: String,
    _folder: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    fn start() -> Browser {
        let folder = tempfile::tempdir().expect("a folder");
        let program = std::env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
        let process = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                // Without a process that waits for the next page.
                "--disable-features=SpareRendererForSitePerProcess",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromium starts: install it, or name it in CHROMIUM");
        // The browser writes its port there once it listens.
        let file = folder.path().join("DevToolsActivePort");
        let port = wait(|| {
            let text = fs::read_to_string(&file).ok()?;
            let (port, path) = text.split_once('\n')?;
            (!path.is_empty()).then(|| (port.to_owned(), path.trim().to_owned()))
        });
        let (port, path) = port.expect("chromium listens");
        Browser { process, port, path, _folder: folder }
    }

    fn shared() -> Arc<Browser> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let browser = Arc::new(Browser::start());
            *shared = Arc::downgrade(&browser);
            browser
        })
    }
}

/// A page that shares nothing with other pages: its storage and cache begin empty, and end with it.
pub struct Page {
    socket: WebSocket<TcpStream>,
    calls: u64,
    events: VecDeque<Value>,
    /// Errors of the page: exceptions, its console, what could not be loaded.
    pub problems: Vec<String>,
    /// The addresses that were asked for.
    pub requests: Vec<String>,
    /// How often the page has asked before it was left.
    pub questions: u32,
    /// What Chromium calls the storage and cache of this page.
    pub context: Value,
    /// The connection that they, and the page, end with.
    _keeper: WebSocket<TcpStream>,
    _browser: Arc<Browser>,
}

impl Page {
    /// An empty page of this size, in pixels.
    pub fn open(width: u32, height: u32) -> Page {
        Page::of(Browser::shared(), width, height)
    }

    /// The only page of a browser.
    pub fn alone(width: u32, height: u32) -> Page {
        Page::of(Arc::new(Browser::start()), width, height)
    }

    fn of(browser: Arc<Browser>, width: u32, height: u32) -> Page {
        let mut keeper = connect(&browser.port, &browser.path);
        let mut ask = |method: &str, params: Value| {
            send(&mut keeper, 1, method, params);
            loop {
                let message = receive(&mut keeper);
                if message["id"] == 1 {
                    return result(method, message);
                }
            }
        };
        let context = ask("Target.createBrowserContext", json!({ "disposeOnDetach": true }));
        let context = context["browserContextId"].clone();
        let target =
            ask("Target.createTarget", json!({ "url": "about:blank", "browserContextId": context, "newWindow": true }));
        let id = target["targetId"].as_str().expect("an id");
        let socket = connect(&browser.port, &format!("/devtools/page/{id}"));
        let mut page = Page {
            socket,
            calls: 0,
            events: VecDeque::new(),
            problems: Vec::new(),
            requests: Vec::new(),
            questions: 0,
            context,
            _keeper: keeper,
            _browser: browser,
        };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.run_first(NAMES);
        page.resize(width, height);
        page
    }

    /// Sends a command and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        send(&mut self.socket, id, method, params);
        loop {
            let message = self.receive();
            if message["id"] == id {
                return result(method, message);
            }
        }
    }

    /// The next message; events are kept.
    fn receive(&mut self) -> Value {
        let message = receive(&mut self.socket);
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.problems.push(params["exceptionDetails"].to_string());
            }
            Some("Runtime.consoleAPICalled") => self.problems.push(params["args"].to_string()),
            // The question before a page is left: it is answered with yes.
            Some("Page.javascriptDialogOpening") => {
                self.questions += 1;
                self.calls += 1;
                let yes = json!({ "accept": true });
                let id = self.calls;
                send(&mut self.socket, id, "Page.handleJavaScriptDialog", yes);
            }
            Some("Log.entryAdded") => self.problems.push(params["entry"].to_string()),
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(url.to_owned());
            }
            _ => {}
        }
        if message.get("method").is_some() {
            self.events.push_back(message.clone());
        }
        message
    }

    /// The values of an event that comes once something is over, and those of all events of another kind until then.
    pub fn collect(&mut self, kind: &str, end: &str) -> Vec<Value> {
        let mut collected = Vec::new();
        loop {
            while let Some(event) = self.events.pop_front() {
                if event["method"] == kind {
                    collected.push(event["params"]["value"].clone());
                } else if event["method"] == end {
                    return collected;
                }
            }
            self.receive();
        }
    }

    pub fn goto(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
    }

    /// Runs this in each page before its own scripts; what names it is given back.
    pub fn run_first(&mut self, source: &str) -> Value {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source }))
    }

    /// Loads the page anew.
    pub fn reload(&mut self) {
        self.events.clear();
        self.call("Page.reload", json!({}));
        self.collect("", "Page.loadEventFired");
    }

    /// Another size of the window, which the page has seen afterwards.
    pub fn resize(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.draw();
    }

    /// Waits until the page has been drawn with what it has been told.
    fn draw(&mut self) {
        self.value("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))");
    }

    /// What the system prefers, which the page has seen afterwards: `prefers-color-scheme`, say.
    pub fn prefer(&mut self, name: &str, value: &str) {
        self.call("Emulation.setEmulatedMedia", json!({ "features": [{ "name": name, "value": value }] }));
        self.draw();
    }

    /// The value of an expression in the page, a promise's when it is kept.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", params);
        let exception = result.get("exceptionDetails");
        assert!(exception.is_none(), "{expression}: {exception:?}");
        result["result"]["value"].clone()
    }

    pub fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("$({selector:?})?.textContent ?? ''"));
        text.as_str().expect("text").to_owned()
    }

    /// Asserts that an expression is true.
    #[track_caller]
    pub fn assert(&mut self, expression: &str) {
        let value = self.value(expression);
        assert_eq!(value, true, "{expression}");
    }

    #[track_caller]
    pub fn assert_text(&mut self, selector: &str, text: &str) {
        let shown = self.text(selector);
        assert_eq!(shown, text, "{selector}");
    }

    /// Waits until the text of the first element of a selector contains this.
    #[track_caller]
    pub fn wait_text(&mut self, selector: &str, part: &str) {
        self.wait_for(&format!("$({selector:?})?.textContent.includes({part:?})"));
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait_for(&mut self, expression: &str) {
        let (begun, mut pause) = (Instant::now(), Duration::from_millis(5));
        while !self.value(&format!("(async () => Boolean(await ({expression})))()")).as_bool().unwrap_or_default() {
            if begun.elapsed() > PATIENCE {
                let shown = self.value("$('main')?.innerText");
                panic!("never: {expression}\n{shown}\n{:?}", self.problems);
            }
            sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(40));
        }
    }

    fn mouse(&mut self, kind: &str, [x, y]: [f64; 2]) {
        let buttons = u8::from(kind != "mouseReleased");
        let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", params);
    }

    /// The middle of what an expression finds; what is behind a tab comes to the front.
    fn middle(&mut self, expression: &str) -> [f64; 2] {
        self.wait_for(expression);
        let script = format!(
            "(() => {{ const e = {expression}; const part = e.closest('[role=tabpanel][hidden]'); \
             part && document.getElementById(part.getAttribute('aria-labelledby')).click(); \
             e.closest('[popover]:not(:popover-open)')?.showPopover(); \
             e.scrollIntoView({{ block: 'nearest' }}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        );
        let place = self.value(&script);
        [0, 1].map(|axis| place[axis].as_f64().expect("a place"))
    }

    fn click_at(&mut self, place: [f64; 2]) {
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
    }

    /// Clicks the first element of a selector.
    pub fn click(&mut self, selector: &str) {
        let place = self.middle(&format!("$({selector:?})"));
        self.click_at(place);
    }

    /// Clicks as slowly as people do.
    pub fn click_slowly(&mut self, selector: &str) {
        let place = self.middle(&format!("$({selector:?})"));
        self.mouse("mousePressed", place);
        sleep(Duration::from_millis(100));
        self.mouse("mouseReleased", place);
    }

    /// Clicks the button with this text when no dialog covers it.
    pub fn press_button(&mut self, text: &str) {
        let place = self.middle(&format!(
            "[...($('dialog[open]') ?? document).querySelectorAll('button')].find((b) => b.textContent.trim().startsWith({text:?}))"
        ));
        self.click_at(place);
    }

    #[track_caller]
    pub fn press_then(&mut self, text: &str, condition: &str) {
        self.press_button(text);
        self.wait_for(condition);
    }

    #[track_caller]
    pub fn click_then(&mut self, selector: &str, condition: &str) {
        self.click(selector);
        self.wait_for(condition);
    }

    #[track_caller]
    pub fn key_then(&mut self, key: &str, condition: &str) {
        self.key(key);
        self.wait_for(condition);
    }

    /// Runs this, and waits until something is true then.
    #[track_caller]
    pub fn run_then(&mut self, script: &str, condition: &str) {
        self.value(script);
        self.wait_for(condition);
    }

    /// The place of a point of the board; of a dialog's, if one is open.
    pub fn point(&mut self, name: &str) -> [f64; 2] {
        self.middle(&format!(
            "[...($('dialog .board') ?? $('.board')).querySelectorAll('.spot')]\
             .find((spot) => spot.getAttribute('aria-label').startsWith({name:?}))"
        ))
    }

    pub fn click_point(&mut self, name: &str) {
        let place = self.point(name);
        self.click_at(place);
    }

    /// Taps a point with a finger.
    pub fn tap_point(&mut self, name: &str) {
        let [x, y] = self.point(name);
        let touch = |kind: &str, points: Value| json!({ "type": kind, "touchPoints": points });
        self.call("Input.dispatchTouchEvent", touch("touchStart", json!([{ "x": x, "y": y }])));
        self.call("Input.dispatchTouchEvent", touch("touchEnd", json!([])));
    }

    /// Drags what is on a point to another one.
    pub fn drag(&mut self, from: &str, to: &str, steps: u32) {
        let (start, end) = (self.point(from), self.point(to));
        self.mouse("mousePressed", start);
        for step in 1..=steps {
            let share = f64::from(step) / f64::from(steps);
            let place = [0, 1].map(|axis| start[axis] + share * (end[axis] - start[axis]));
            self.mouse("mouseMoved", place);
        }
        self.mouse("mouseReleased", end);
    }

    pub fn key(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => key.to_uppercase().bytes().next().map_or(0, u32::from),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let params = json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// A picture of the window as PNG.
    pub fn picture(&mut self, path: PathBuf) {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let encoded = path.with_extension("txt");
        fs::write(&encoded, picture["data"].as_str().expect("a picture")).expect("written");
        let decoded = Command::new("base64").arg("--decode").arg(&encoded).output().expect("base64");
        fs::write(path, decoded.stdout).expect("written");
        fs::remove_file(encoded).expect("removed");
    }

    /// Forgets what the browser says of a server that is not there, or refuses, and of questions without a person.
    pub fn forgive(&mut self) {
        self.value("null");
        let kinds = ["net::ERR_", "401 (", "400 (", "429 (", "503 (", "intervention"];
        self.problems.retain(|problem| !kinds.iter().any(|kind| problem.contains(kind)));
    }

    /// Chooses a value of a selection.
    pub fn choose(&mut self, selector: &str, value: &str) {
        self.value(&format!(
            "(() => {{ const s = $({selector:?}); s.focus(); s.value = {value:?}; \
             s.dispatchEvent(new Event('input', {{ bubbles: true }})); s.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
        ));
    }

    /// Puts a text into an empty field.
    pub fn fill(&mut self, selector: &str, text: &str) {
        self.value(&format!("$({selector:?}).focus()"));
        self.write(text);
    }

    /// Checks at the end of a test that nothing went wrong, and that nothing but this address was asked for.
    pub fn check(&mut self, origin: &str) {
        // What is missing is not written out.
        let written =
            self.value("document.body.innerText.match(/\\b(false|undefined|null|NaN)\\b|\\[object/)?.[0] ?? ''");
        assert_eq!(written, "", "on the page");
        self.assert_sound(origin);
    }

    /// As [`Page::check`], but forgives first: a page without a server asks for it every second.
    pub fn check_forgiving(&mut self, origin: &str) {
        self.forgive();
        self.assert_sound(origin);
    }

    fn assert_sound(&self, origin: &str) {
        assert!(self.problems.is_empty(), "{:#?}", self.problems);
        for url in &self.requests {
            let is_own = ["data:", "blob:", "about:", origin];
            assert!(is_own.iter().any(|start| url.starts_with(start)), "{url}");
        }
    }
}

fn connect(port: &str, path: &str) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("chromium listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.set_nodelay(true).expect("no delay");
    let url = format!("ws://127.0.0.1:{port}{path}");
    tungstenite::client(url, stream).expect("chromium answers").0
}

fn send(socket: &mut WebSocket<TcpStream>, id: u64, method: &str, params: Value) {
    let message = json!({ "id": id, "method": method, "params": params });
    let sent = socket.send(Message::text(message.to_string()));
    sent.expect("chromium reads");
}

/// An answer or an event.
fn receive(socket: &mut WebSocket<TcpStream>) -> Value {
    let message = socket.read().expect("chromium answers in time");
    serde_json::from_str(message.to_text().expect("text")).expect("JSON")
}

/// What an answer holds, which is not an error.
fn result(method: &str, mut answer: Value) -> Value {
    assert!(answer.get("error").is_none(), "{method}: {answer}");
    answer["result"].take()
}

/// Waits until there is something.
pub fn wait<T>(mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(found) = find() {
            return Some(found);
        }
        sleep(Duration::from_millis(10));
    }
    None
}
