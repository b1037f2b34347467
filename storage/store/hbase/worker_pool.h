#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "storage/base/error.h"

namespace hob::store {

/// A few threads that help callers to do independent blocking calls side by side. Thread-safe; the
/// queue holds at most one entry for each thread and caller.
class WorkerPool {
  public:
    explicit WorkerPool(std::size_t threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Calls `task` with 0 to count-1, in this thread and in idle ones; returns when all that began
    /// have ended. After the first error no further one begins; that error is returned.
    Status run(std::size_t count, const std::function<Status(std::size_t)>& task);

  private:
    struct Job;
    static void work_on(Job& job);
    void serve();

    std::mutex mutex_;  ///< Guards `queue_` and `is_stopping_`.
    std::condition_variable has_work_;
    std::deque<std::shared_ptr<Job>> queue_;
    bool is_stopping_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace hob::store
