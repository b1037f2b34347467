#include "server/net/server.h"

#include <spdlog/spdlog.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <thread>
#include <utility>

#include "server/net/core.h"
#include "server/net/http_session.h"

namespace hob::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct Server::State {
    State(ServerOptions options, QueryService& service)
        : io(static_cast<int>(options.io_threads)),
          work(asio::make_work_guard(io)),
          acceptor(asio::make_strand(io)),
          sweeper(acceptor.get_executor()),
          core(std::make_shared<Core>(std::move(options), service)) {}

    asio::io_context io;
    asio::executor_work_guard<asio::io_context::executor_type> work;
    tcp::acceptor acceptor;  ///< On its strand, as the sweeper.
    asio::steady_timer sweeper;
    std::shared_ptr<Core> core;
    std::vector<std::thread> threads;
    std::uint16_t port = 0;
    bool is_stopped = false;

    Status listen() {
        error_code ec;
        tcp::resolver resolver(io);
        const auto found =
            resolver.resolve(core->options.host, std::to_string(core->options.port),
                             tcp::resolver::passive | tcp::resolver::numeric_service, ec);
        if (ec)
            return Error::make(Code::kUnavailable, "the host '{}' to listen on is not known: {}",
                               core->options.host, ec.message());
        const tcp::endpoint endpoint = found.begin()->endpoint();
        acceptor.open(endpoint.protocol(), ec);
        if (!ec) acceptor.set_option(asio::socket_base::reuse_address(true), ec);
        if (!ec) acceptor.bind(endpoint, ec);
        if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
        if (ec) {
            return Error::make(Code::kUnavailable,
                               "can't listen on {}:{}: {}; is another server running there? Choose "
                               "another with --port",
                               core->options.host, core->options.port, ec.message());
        }
        port = acceptor.local_endpoint().port();
        return {};
    }

    void accept() {
        acceptor.async_accept(asio::make_strand(io), [this](error_code ec, tcp::socket socket) {
            if (core->is_stopping) return;
            if (ec) {
                // Out of descriptors, most likely: some are freed when connections end, so try
                // again a little later.
                spdlog::warn("a connection could not be accepted: {}", ec.message());
                sweeper_pause();
                return;
            }
            if (core->connection_count() >= core->options.connections_max) {
                spdlog::warn("a connection is refused: {} are open (maxConnections)",
                             core->options.connections_max);
            } else {
                error_code ignored;
                socket.set_option(tcp::no_delay(true), ignored);
                serve_http(std::move(socket), core);
            }
            accept();
        });
    }

    void sweeper_pause() {
        auto pause = std::make_shared<asio::steady_timer>(acceptor.get_executor(),
                                                          std::chrono::milliseconds(50));
        pause->async_wait([this, pause](error_code) {
            if (!core->is_stopping) accept();
        });
    }

    /// Ends idle sessions once a second.
    void sweep() {
        sweeper.expires_after(std::chrono::seconds(1));
        sweeper.async_wait([this](error_code ec) {
            if (ec || core->is_stopping) return;
            core->pool.submit([shared = core] { shared->sessions.expire(Sessions::Clock::now()); });
            sweep();
        });
    }

    /// Gives connections a little time until `done`; true when it was enough.
    template <typename Done>
    static bool wait_for(std::chrono::milliseconds patience, const Done& done) {
        const auto end = std::chrono::steady_clock::now() + patience;
        while (!done()) {
            if (std::chrono::steady_clock::now() > end) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return true;
    }

    void stop() {
        if (std::exchange(is_stopped, true)) return;
        core->is_stopping = true;
        asio::post(acceptor.get_executor(), [this] {
            error_code ignored;
            acceptor.close(ignored);
            sweeper.cancel();
        });
        core->each_connection([](Connection& c) { c.cancel(); });
        wait_for(std::chrono::seconds(5),
                 [this] { return core->pool.running() == 0 && core->pool.waiting() == 0; });
        core->each_connection([](Connection& c) { c.go_away(); });
        wait_for(std::chrono::seconds(2), [this] { return core->connection_count() == 0; });
        core->pool.stop();
        work.reset();
        io.stop();
        for (auto& thread : threads)
            thread.join();
        threads.clear();
    }
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() {
    stop();
}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, QueryService& service) {
    auto state = std::make_unique<State>(std::move(options), service);
    HOB_TRY(state->listen());
    state->accept();
    state->sweep();
    for (std::size_t i = 0; i < state->core->options.io_threads; ++i) {
        state->threads.emplace_back([&io = state->io] { io.run(); });
    }
    return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const {
    return state_->port;
}

void Server::stop() {
    state_->stop();
}

}  // namespace hob::server
