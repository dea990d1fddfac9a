//! What the server refuses, and how it shares what it has.

use super::*;

#[test]
fn the_page_is_one_file_with_a_strict_policy() {
    let server = Server::start("");
    let page = server.page();
    assert_eq!(page.status, 200);
    let headers = "content-security-policy: default-src 'none'; style-src 'sha256-|frame-ancestors 'none'|\
        x-content-type-options: nosniff|x-frame-options: deny|cache-control: no-store|referrer-policy: no-referrer|\
        cross-origin-resource-policy: same-origin";
    for header in headers.split('|') {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    assert!(!page.head.contains("unsafe") && !page.head.contains("access-control"));
    // It is sent to everybody.
    assert!(!page.body.contains(&server.token));
    // Parts of the page itself are named, too.
    let body = page.body.replace("url(#", "");
    let means = " src=|@import|url(|import(|innerHTML|eval(|document.write";
    for means in means.split('|') {
        assert!(!body.contains(means), "{means}");
    }
}

/// The unit tests of the guard have all the ways to be a stranger.
#[test]
fn nothing_is_told_without_the_token() {
    let server = Server::start("");
    let (host, right) = (server.host(), server.headers());
    let json = "Content-Type: application/json\r\n";
    let wrong = "0".repeat(64);
    let others = [
        (401, format!("{host}{json}")),
        (
            401,
            format!("{host}{json}Authorization: Bearer {wrong}\r\n"),
        ),
        (
            401,
            format!("{host}{json}Authorization: Basic {}\r\n", server.token),
        ),
        (
            401,
            format!("{host}{json}Cookie: token={}\r\n", server.token),
        ),
        (403, format!("{right}Origin: http://evil.example\r\n")),
        (403, format!("{right}Sec-Fetch-Site: cross-site\r\n")),
        (403, right.replace("Host: 127.0.0.1", "Host: evil.example")),
        (415, right.replace("application/json", "text/plain")),
    ];
    for (path, body) in commands() {
        for (status, headers) in &others {
            let answer = server.post(path, headers, body.to_string().as_bytes());
            assert_eq!(answer.status, *status, "{path} {headers}");
            let body = &answer.body;
            let tells = body.contains("fen") || body.contains("kind");
            assert!(!tells, "{path}: {body}");
        }
        for method in ["GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"] {
            let request = format!("{method} {path} HTTP/1.1\r\n{right}Connection: close\r\n\r\n");
            let answer = server.send(request.as_bytes()).expect("an answer");
            assert_eq!(answer.status, 405, "{method} {path}");
            assert!(!answer.head.contains("access-control"), "{}", answer.head);
        }
        let answer = server.ask(path, &body);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
}

/// The browser's address is an argument, which others may see: it is good for one page.
#[cfg(unix)]
#[test]
fn the_address_that_is_opened_works_once() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let [opener, opened] = ["xdg-open", "opened"].map(|name| folder.path().join(name));
    let script = format!(
        "#!/bin/sh\nprintf %s \"$1\" > {0}.new\nmv {0}.new {0}\n",
        opened.display()
    );
    std::fs::write(&opener, script).expect("written");
    std::fs::set_permissions(&opener, PermissionsExt::from_mode(0o755)).expect("a program");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = vato("gui --port 0");
    command.env("PATH", format!("{}:{path}", folder.path().display()));
    let server = Server::from(&mut command);
    let begun = Instant::now();
    while !opened.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "no browser");
        std::thread::sleep(Duration::from_millis(20));
    }
    let url = std::fs::read_to_string(&opened).expect("an address");
    let start = format!("http://127.0.0.1:{}/#once-", server.port);
    assert!(url.starts_with(&start), "{url}");
    assert!(!url.contains(&server.token), "{url}");
    let (_, ticket) = url.split_once('#').expect("a ticket");
    let headers = server.headers().replace(&server.token, ticket);
    // It cannot be guessed.
    for secret in [
        "",
        "once-",
        &format!("once-{}", server.token),
        &server.token,
    ] {
        let guessed = server.headers().replace(&server.token, secret);
        let answer = server.post("/enter", &guessed, b"{}");
        assert_eq!(answer.status, 401, "{secret}");
    }
    let first = server.post("/enter", &headers, b"{}");
    assert_eq!(first.json(), json!({ "token": server.token }));
    assert_eq!(server.post("/enter", &headers, b"{}").status, 401);
    assert_eq!(server.post("/start", &headers, b"{}").status, 401);
}

#[test]
fn there_are_no_other_pages() {
    let server = Server::start("");
    let headers = server.headers();
    let paths = "/../Cargo.toml /..%2f..%2fetc/passwd //etc/passwd /position/ /favicon.ico /%00 * http://evil.example/x";
    for path in paths.split(' ') {
        let answer = server.post(path, &headers, b"{}");
        let status = answer.status;
        assert!([400, 403, 404].contains(&status), "{path}: {status}");
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"));
    }
}

/// Whatever a body is, the answer says what is wrong with it, and the server goes on.
#[test]
fn wrong_requests_are_answered() {
    let server = Server::start("");
    let headers = server.headers();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let rules = "{\"place\":{\"rules\":\"tsivy\"},\"unknown\":1}";
    let bodies = [
        "",
        "nothing",
        "7",
        "null",
        "{",
        "{\"place\":1}",
        "{\"unknown\":1}",
        rules,
        "\"\\ud800\"",
        &deep,
    ];
    for (path, _) in commands() {
        for body in bodies
            .map(str::as_bytes)
            .into_iter()
            .chain([&b"\xff\xfe\x00"[..]])
        {
            let answer = server.post(path, &headers, body);
            let body = String::from_utf8_lossy(body);
            assert_eq!(answer.status, 400, "{path}: {body:.80}");
            assert!(answer.json()["error"].is_string());
        }
    }
    let (long, game) = ("x".repeat(5_000), "1. f2-e3A ".repeat(12_000));
    for (path, body, told) in [
        ("/position", at(&long, "", &[]), "rules: 5000 bytes"),
        ("/position", at("tsivy", &long, &[]), "start: 5000 bytes"),
        ("/position", at("tsivy", "", &[&long]), "moves: 5000 bytes"),
        ("/position", at("tsivy", "", &["a"; 20_000]), "20000 moves"),
        ("/read", json!({ "pgn": game }), "12000 moves"),
    ] {
        let error = server.refusal(path, &body);
        assert!(error.contains(told), "{told}: {error:.80}");
        assert!(error.len() < 1_000, "{told}");
    }
    compare_requests("board_requests_refused", |path, body| {
        server.refusal(path, body)
    });
    assert_eq!(server.ask("/start", &json!({})).status, 200);
}

#[test]
fn requests_of_any_size_and_kind_do_not_end_the_server() {
    let server = Server::start("");
    let headers = server.headers();
    // More than is taken: as announced, and as it comes in pieces.
    let announced = format!("POST /read HTTP/1.1\r\n{headers}Content-Length: 99999999999\r\n\r\n");
    let announced = [announced.as_bytes(), &vec![b' '; 17 << 20]].concat();
    let mut chunked = format!("POST /read HTTP/1.1\r\n{headers}Transfer-Encoding: chunked\r\n\r\n");
    chunked.push_str(&format!("100000\r\n{}\r\n", " ".repeat(1 << 20)).repeat(17));
    for request in [announced, chunked.into_bytes()] {
        let answer = server.send(&request);
        assert!(answer.is_none_or(|answer| answer.status == 413));
    }
    let many = (0..200).map(|number| format!("X-{number}: x\r\n"));
    let (many, long): (String, String) = (many.collect(), "a".repeat(100_000));
    let start = format!("POST /start HTTP/1.1\r\n{headers}");
    for request in [
        "\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        &format!("GET /{long} HTTP/1.1\r\n{headers}\r\n"),
        &format!("GET / HTTP/1.1\r\n{headers}X: {long}\r\n\r\n"),
        &format!("GET / HTTP/1.1\r\n{headers}{many}\r\n"),
        &format!("{start}Content-Length: -1\r\n\r\n"),
        &format!("{start}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{{}}"),
        &format!("{start}Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
    ] {
        let mut stream = server.connect();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(!answer.contains(" 200 "), "{status}: {request:.60}");
    }
    assert_eq!(server.ask("/start", &json!({})).status, 200);
}

#[test]
fn too_many_connections_and_requests_are_refused() {
    let server = Server::start("");
    let (right, host) = (server.headers(), server.host());
    let ask = format!("POST /start HTTP/1.1\r\n{right}Content-Length: 2\r\n\r\n{{}}");
    let mut known = server.connect();
    known.write_all(ask.as_bytes()).expect("it reads");
    assert!(known.read(&mut [0; 9]).expect("an answer") > 0);
    let mut open: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
    // Those that ask for nothing give way to who does, without a wait: the oldest ones first, and not the page.
    let begun = Instant::now();
    assert_eq!(server.page().status, 200);
    assert!(begun.elapsed() < Duration::from_secs(4));
    assert_eq!(open[0].read(&mut [0]).unwrap_or_default(), 0);
    let last = ask.replace("Content-Length", "Connection: close\r\nContent-Length");
    known.write_all(last.as_bytes()).expect("it is still there");
    let mut rest = String::new();
    known.read_to_string(&mut rest).expect("UTF-8");
    assert!(rest.contains("HTTP/1.1 200"), "{rest}");
    drop(open);
    // Those without the token, of another site or under another name are not counted: nobody locks the board out.
    for (status, request) in [
        (401, format!("GET /x HTTP/1.1\r\n{host}\r\n")),
        (
            403,
            "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(),
        ),
        (
            403,
            format!("GET / HTTP/1.1\r\n{host}Sec-Fetch-Site: cross-site\r\n\r\n"),
        ),
    ] {
        for _ in 0..400 {
            let answer = server.send(request.as_bytes()).expect("an answer");
            assert_eq!(answer.status, status);
            assert!(answer.head.contains("connection: close"));
        }
    }
    server.answer("/position", &at("tsivy", "", &[]));
    // Those of the page itself are, too many of them.
    let mut stream = server.connect();
    let request = format!("POST /x HTTP/1.1\r\n{right}Content-Length: 0\r\n\r\n").repeat(2000);
    stream.write_all(request.as_bytes()).expect("it reads");
    stream.shutdown(Shutdown::Write).expect("the end");
    let mut answers = String::new();
    let _ = stream.read_to_string(&mut answers);
    assert!(answers.contains(" 404 ") && answers.contains(" 429 "));
}

/// Each page has a search of its own, which no other one disturbs; a page's second search is instead of its first.
#[test]
fn pages_search_side_by_side() {
    let server = Server::start("--threads 1");
    let place = json!({ "rules": "tsivy", "moves": ["f2-e3A"] });
    let is_line = |report: &Value| report["kind"] == "line";
    let analyse = |page: u64| json!({ "page": page, "place": place, "lines": 1 });
    let clock = json!({ "remaining": 20_000, "increment": 0 });
    let play = json!({ "page": 1, "place": place, "level": 20, "clock": clock });
    let mut game = server.search("/play", &play);
    let mut others = [2, 3, 4].map(|page| server.search("/analyse", &analyse(page)));
    for other in &mut others {
        report(other, is_line);
    }
    let busy = server.ask("/analyse", &analyse(5));
    assert_eq!(busy.status, 503, "{}", busy.body);
    let turn = report(&mut game, |report| report["kind"] == "done");
    assert!(turn["turn"].is_string(), "{turn}");
    // There is an engine again; the page's own search ends for the next one.
    let mut first = server.search("/analyse", &analyse(5));
    report(&mut first, is_line);
    let mut second = server.search("/analyse", &analyse(5));
    report(&mut second, is_line);
    let _ = first.read_until(b'0', &mut Vec::new()).expect("an end");
    while first.read_line(&mut String::new()).expect("an end") > 2 {}
    report(&mut others[0], is_line);
}

/// Who sends slowly is not waited for.
#[test]
fn slow_requests_are_given_up() {
    let server = Server::start("");
    let headers = server.headers();
    let half = "POST /start HTTP/1.1\r\nHost:".to_owned();
    let body = format!("POST /start HTTP/1.1\r\n{headers}Content-Length: 100\r\n\r\n{{");
    let mut streams = [half, body].map(|request| {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).expect("it reads");
        stream
    });
    let mut answers = [String::new(), String::new()];
    for (stream, answer) in streams.iter_mut().zip(&mut answers) {
        stream.read_to_string(answer).expect("an end in time");
    }
    assert!(!answers[0].contains(" 200 "), "{}", answers[0]);
    assert!(answers[1].starts_with("HTTP/1.1 408 "), "{}", answers[1]);
}

/// Without a page that listens the engine rests.
#[cfg(target_os = "linux")]
#[test]
fn the_engine_stops_when_the_page_is_closed() {
    let server = Server::start("");
    let request = json!({ "page": 1, "place": { "rules": "tsivy" }, "lines": 1 });
    let mut search = server.search("/analyse", &request);
    report(&mut search, |report| report["kind"] == "line");
    drop(search);
    // Hundredths of a second on the processor.
    let used = || {
        let stat = format!("/proc/{}/stat", server.process.id());
        let stat = std::fs::read_to_string(stat).expect("a running process");
        let words = stat.split(' ').skip(13).take(2);
        let numbers = words.map(|word| word.parse::<u64>().expect("a number"));
        numbers.sum::<u64>()
    };
    let begun = Instant::now();
    loop {
        let before = used();
        std::thread::sleep(Duration::from_millis(500));
        if used() - before <= 2 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it goes on");
    }
}
