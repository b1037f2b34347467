#include "server/run/worker_pool.h"

#include <utility>

namespace hob::server {

WorkerPool::WorkerPool(std::size_t threads, std::size_t queue_max)
    : queue_max_(queue_max), thread_count_(threads) {
    threads_.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { work(); });
    }
}

WorkerPool::~WorkerPool() {
    stop();
}

bool WorkerPool::submit(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_ || queue_.size() >= queue_max_) return false;
        queue_.push_back(std::move(task));
    }
    wake_.notify_one();
    return true;
}

void WorkerPool::stop() {
    std::deque<std::function<void()>> dropped;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        dropped.swap(queue_);
    }
    wake_.notify_all();
    for (auto& thread : threads_) {
        if (thread.joinable()) thread.join();
    }
}

std::size_t WorkerPool::waiting() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
}

std::size_t WorkerPool::running() const {
    const std::lock_guard lock(mutex_);
    return running_;
}

void WorkerPool::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        auto task = std::move(queue_.front());
        queue_.pop_front();
        ++running_;
        lock.unlock();
        task();
        task = nullptr;  // What it holds is let go before the worker counts as free.
        lock.lock();
        --running_;
    }
}

}  // namespace hob::server
