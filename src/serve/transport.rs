//! The two transports: standard input and output, and streamable HTTP.

use std::{future::IntoFuture as _, io, net::SocketAddr, sync::Arc};

use anyhow::{Context as _, bail};
use axum::{
    Router,
    extract::Request,
    http::{StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    serve::ListenerExt as _,
};
use rmcp::{
    ServiceExt as _,
    service::ServerInitializeError,
    transport::{
        stdio_pipes,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use tokio::{net::TcpListener, runtime};

use super::server::Server;

/// The path of the server's URL.
const PATH: &str = "/mcp";
/// The number of threads that receive and send messages.
const THREADS: usize = 2;
/// The greatest number of threads that make answers. Two of them read and write the standard streams if these are no
/// pipes.
const BLOCKING_THREADS: usize = 10;
/// The host names and addresses that always mean this machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Serves until the client closes standard input, or until a signal.
///
/// # Errors
/// See [`super::run`].
pub(super) fn run(
    server: Server,
    http: Option<SocketAddr>,
    token: Option<String>,
    note: fn(&str),
) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()
        .context("the server cannot start its threads")?;
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = async {
                match http {
                    Some(address) => listen(server, address, token, note).await,
                    None => stdio(server).await,
                }
            } => outcome,
            () = stopped() => Ok(()),
        }
    });
    // The runtime does not wait for its threads: a read of standard input cannot be cancelled, and no client waits for
    // the answers that are being made.
    runtime.shutdown_background();
    outcome
}

/// Serves the client that started this process, over standard input and output.
async fn stdio(server: Server) -> anyhow::Result<()> {
    match server.serve(stdio_pipes()).await {
        Ok(service) => {
            service.waiting().await.context("the server failed")?;
            Ok(())
        }
        // The client closed the connection before its first message.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error).context("the client does not speak the protocol"),
    }
}

/// Serves all clients over HTTP.
async fn listen(server: Server, address: SocketAddr, token: Option<String>, note: fn(&str)) -> anyhow::Result<()> {
    if token.is_none() && !address.ip().is_loopback() {
        bail!("{address} can be reached from other machines; add --token-file FILE, or listen on 127.0.0.1");
    }
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            bail!("{address} is in use, maybe by another server; name another port, or 0 for a free one")
        }
        Err(error) => return Err(error).with_context(|| format!("cannot listen on {address}")),
    };
    let address = listener.local_addr()?;
    let own = address.ip().to_string();
    let is_open = address.ip().is_unspecified();
    let hosts = LOOPBACK.into_iter().map(str::to_owned).chain([own]);
    let origins = LOOPBACK.into_iter().flat_map(|host| {
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        ["http", "https"].map(|scheme| format!("{scheme}://{host}:*"))
    });
    let mut config = StreamableHttpServerConfig::default().with_allowed_hosts(hosts).with_allowed_origins(origins);
    if is_open {
        // The host names of this machine are unknown. A web page that uses one of them does not know the token.
        config = config.disable_allowed_hosts();
    }
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config);
    let mut router = Router::new().nest_service(PATH, service);
    if let Some(token) = token {
        let expected: Arc<str> = format!("Bearer {token}").into();
        router = router.layer(middleware::from_fn(move |request: Request, next: Next| {
            let expected = Arc::clone(&expected);
            async move { authorized(&expected, request, next).await }
        }));
    }
    note(&format!("listening on http://{address}{PATH}"));
    // Answers are small: without the delay of Nagle's algorithm they arrive 40 ms earlier. A connection for which the
    // option cannot be set is served with the delay.
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    axum::serve(listener, router).into_future().await.context("the server failed")
}

/// Handles a request that carries the token. Answers a request without the token with status 401.
async fn authorized(expected: &str, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION);
    if given.is_some_and(|given| is_equal(given.as_bytes(), expected.as_bytes())) {
        next.run(request).await
    } else {
        (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")]).into_response()
    }
}

/// Compares texts in a time that depends only on their lengths, so a client that measures the time does not learn which
/// characters of the token are right.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// Waits for a signal that ends the process.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let terminated = async {
            match signal(SignalKind::terminate()) {
                Ok(mut signal) => _ = signal.recv().await,
                // The default handler of the system ends the process then.
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = terminated => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
