#include "storage/store/hbase/worker_pool.h"

#include <algorithm>

namespace hob::store {

/// One call of run(); helpers may still hold it, with nothing left to do, after run() has returned.
struct WorkerPool::Job {
    std::size_t count = 0;
    const std::function<Status(std::size_t)>* task = nullptr;

    std::mutex mutex;  ///< Guards what follows.
    std::condition_variable ended;
    std::size_t next = 0;
    std::size_t running = 0;
    Status first_error;
};

WorkerPool::WorkerPool(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { serve(); });
    }
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    has_work_.notify_all();
}

Status WorkerPool::run(std::size_t count, const std::function<Status(std::size_t)>& task) {
    const auto job = std::make_shared<Job>();
    job->count = count;
    job->task = &task;
    const std::size_t helpers = count == 0 ? 0 : std::min(count - 1, threads_.size());
    if (helpers > 0) {
        const std::lock_guard lock(mutex_);
        queue_.insert(queue_.end(), helpers, job);
    }
    for (std::size_t i = 0; i < helpers; ++i) {
        has_work_.notify_one();
    }
    work_on(*job);
    std::unique_lock lock(job->mutex);
    job->ended.wait(lock, [&] { return job->running == 0; });
    return std::move(job->first_error);
}

void WorkerPool::work_on(Job& job) {
    std::unique_lock lock(job.mutex);
    while (job.next < job.count) {
        const std::size_t index = job.next++;
        ++job.running;
        lock.unlock();
        Status done = (*job.task)(index);
        lock.lock();
        --job.running;
        if (!done.ok()) {
            job.next = job.count;
            if (job.first_error.ok()) job.first_error = std::move(done);
        }
    }
    if (job.running == 0) job.ended.notify_all();
}

void WorkerPool::serve() {
    while (true) {
        std::shared_ptr<Job> job;
        {
            std::unique_lock lock(mutex_);
            has_work_.wait(lock, [this] { return is_stopping_ || !queue_.empty(); });
            if (is_stopping_) return;
            job = std::move(queue_.front());
            queue_.pop_front();
        }
        work_on(*job);
    }
}

}  // namespace hob::store
