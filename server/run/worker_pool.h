#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hob::server {

/// A fixed number of threads that run queries, and a bounded queue before them. Thread-safe.
class WorkerPool {
  public:
    WorkerPool(std::size_t threads, std::size_t queue_max);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// False when the queue is full or the pool stops: the task is then not taken.
    bool submit(std::function<void()> task);
    /// Drops what waits, lets what runs end, joins. Later submits give false.
    void stop();
    [[nodiscard]] std::size_t waiting() const;
    [[nodiscard]] std::size_t running() const;
    [[nodiscard]] std::size_t threads() const { return thread_count_; }

  private:
    void work();

    const std::size_t queue_max_;
    const std::size_t thread_count_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;             ///< with mutex_
    std::deque<std::function<void()>> queue_;  ///< guarded by mutex_
    std::size_t running_ = 0;                  ///< guarded by mutex_
    bool stopping_ = false;                    ///< guarded by mutex_
    std::vector<std::thread> threads_;
};

}  // namespace hob::server
