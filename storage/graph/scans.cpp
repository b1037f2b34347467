#include <algorithm>

#include "storage/graph/expansion.h"
#include "storage/value/compare.h"

namespace hob::graph {
namespace {

using layout::kOutMark;

/// Rows lie in the order of their salts. Graphs of up to this many elements are collected and
/// sorted, so that ids ascend (and, where the server makes the ids, V() and E() come in the order
/// of insertion, as people expect of small graphs); larger ones stream as they lie.
constexpr std::size_t kSortedMax = 16'384;
constexpr std::size_t kSortedMaxShared =
    2'000;  ///< Over a network a g.V().limit(1) must not read more than a page or two.
constexpr std::size_t kSortedEdgesMax =
    65'536;  ///< Where edges have long ids, whose counter tells that a graph is larger.
/// Where the id counter says that a graph is large; a small one whose user chose large ids is still
/// sorted.
constexpr std::size_t kSortedMaxLarge = 1'000;
constexpr std::size_t kPageFirst = 64;
constexpr std::size_t kPageMax = 1'000;

/// Gives elements in id order while there are few of them. `Source` is `Status
/// more(std::vector<Value>&)`: appends a page, or nothing at the end.
template <typename Source>
class OrderedScan final : public ElementScan {
  public:
    OrderedScan(Source source, std::size_t sorted_max)
        : source_(std::move(source)), sorted_max_(sorted_max) {}

    Status next(std::size_t count_max, std::vector<Value>& out) override {
        if (!started_) {
            started_ = true;
            HOB_TRY(collect());
        }
        std::size_t room = count_max;
        while (room > 0) {
            if (at_ == held_.size()) {
                held_.clear();
                at_ = 0;
                if (ended_) return {};
                HOB_TRY(source_.more(held_));
                ended_ = held_.empty();
                continue;
            }
            const std::size_t count = std::min(room, held_.size() - at_);
            for (std::size_t i = 0; i < count; ++i) {
                out.push_back(std::move(held_[at_++]));
            }
            room -= count;
        }
        return {};
    }

  private:
    Status collect() {
        while (!ended_ && held_.size() < sorted_max_) {
            const std::size_t before = held_.size();
            HOB_TRY(source_.more(held_));
            ended_ = held_.size() == before;
        }
        if (ended_) {
            std::sort(held_.begin(), held_.end(),
                      [](const Value& a, const Value& b) { return order(a, b) < 0; });
        }
        return {};
    }

    Source source_;
    const std::size_t sorted_max_;
    bool started_ = false;
    bool ended_ = false;
    std::vector<Value> held_;
    std::size_t at_ = 0;
};

std::vector<std::uint16_t> codes_of(const std::vector<std::string>& labels, NameKind kind,
                                    const Names& names) {
    std::vector<std::uint16_t> codes;
    for (const auto& label : labels) {
        if (const auto code = names.code(kind, label); code != 0) codes.push_back(code);
    }
    return codes;
}

class VertexSource {
  public:
    VertexSource(TransactionImpl& transaction, std::unique_ptr<store::Scanner> scanner,
                 std::uint32_t coverage, bool any_label, std::vector<std::uint16_t> labels)
        : transaction_(&transaction),
          scanner_(std::move(scanner)),
          coverage_(coverage),
          any_label_(any_label),
          labels_(std::move(labels)) {}

    Status more(std::vector<Value>& out) {
        const std::size_t before = out.size();
        while (scanner_ != nullptr && out.size() == before) {
            store::RowBatch rows;
            HOB_TRY(scanner_->next(page_, rows));
            page_ = std::min(page_ * 2, kPageMax);
            if (rows.size() == 0) scanner_.reset();
            for (std::size_t i = 0; i < rows.size(); ++i) {
                HOB_TRY(add(rows.row_key(i), rows.cells(i), out));
            }
        }
        return {};
    }

  private:
    Status add(std::string_view row, std::span<const store::Cell> cells, std::vector<Value>& out) {
        if (cells.empty() || cells[0].qualifier != layout::kLabelQualifier) return {};
        if (!any_label_) {
            HOB_ASSIGN_OR_RETURN(const auto label, layout::read_label_value(cells[0].value));
            if (std::find(labels_.begin(), labels_.end(), label) == labels_.end()) return {};
        }
        HOB_ASSIGN_OR_RETURN(const Value id, transaction_->ids().id_of_row(row));
        CachedRecord& cached = transaction_->cache().slot(id);
        if (!transaction_->covers(cached, coverage_))
            HOB_TRY(transaction_->fill(cached, id, coverage_, cells));
        out.push_back(Value::vertex(id));
        return {};
    }

    TransactionImpl* transaction_;
    std::unique_ptr<store::Scanner> scanner_;
    std::uint32_t coverage_;
    bool any_label_;
    std::vector<std::uint16_t> labels_;
    std::size_t page_ = kPageFirst;
};

class EdgeSource {
  public:
    EdgeSource(TransactionImpl& transaction, std::unique_ptr<store::Scanner> scanner,
               std::vector<store::ColumnRange> ranges)
        : transaction_(&transaction), scanner_(std::move(scanner)), ranges_(std::move(ranges)) {}

    Status more(std::vector<Value>& out) {
        const std::size_t before = out.size();
        while (out.size() == before) {
            if (!rest_row_.empty()) {
                HOB_TRY(more_of_row(out));
                continue;
            }
            if (at_ == rows_.size()) {
                if (scanner_ == nullptr) return {};
                HOB_TRY(scanner_->next(page_, rows_));
                page_ = std::min(page_ * 2, kRowsMax);
                at_ = 0;
                if (rows_.size() == 0) {
                    scanner_.reset();
                    return {};
                }
            }
            HOB_TRY(add(rows_.row_key(at_), rows_.cells(at_), ranges_, out));
            ++at_;
        }
        return {};
    }

    static constexpr std::uint32_t kRowCells =
        2'000;  ///< Of one range of a row in the scan; longer rows are read on by gets.

  private:
    static constexpr std::size_t kRowsMax = 256;

    /// Adds a row's cells up to the first range that is full; then `rest_row_` says where to read
    /// on.
    Status add(std::string_view row, std::span<const store::Cell> cells,
               std::span<const store::ColumnRange> ranges, std::vector<Value>& out) {
        HOB_ASSIGN_OR_RETURN(const Value id, transaction_->ids().id_of_row(row));
        rest_row_.clear();
        std::size_t at = 0;
        for (const auto& range : ranges) {
            const std::size_t begin = at;
            for (; at < cells.size() && (range.to.empty() || cells[at].qualifier < range.to);
                 ++at) {
                HOB_ASSIGN_OR_RETURN(auto edge, layout::decode_edge_qualifier(transaction_->ids(),
                                                                              cells[at].qualifier));
                const EdgePlace place{.out = id,
                                      .label = edge.label,
                                      .in = std::move(edge.other),
                                      .parallel = edge.parallel};
                HOB_ASSIGN_OR_RETURN(Value value,
                                     transaction_->make_edge(place, cells[at].value, true));
                out.push_back(std::move(value));
            }
            if (at - begin < kRowCells) continue;
            const std::string last(cells[at - 1].qualifier);
            rest_row_ = row;
            rest_from_ = last + '\0';
            return {};
        }
        return {};
    }

    Status more_of_row(std::vector<Value>& out) {
        store::RowGet get{.row = rest_row_, .ranges = {}, .columns = {}};
        for (auto range : ranges_) {
            if (!range.to.empty() && range.to <= rest_from_) continue;
            range.from = std::max(range.from, rest_from_);
            get.ranges.push_back(std::move(range));
        }
        store::RowBatch rows;
        const std::string row = std::move(rest_row_);
        rest_row_.clear();
        if (get.ranges.empty()) return {};
        HOB_TRY(transaction_->get(Table::kGraph, 'e', {&get, 1}, rows));
        return add(row, rows.cells(0), get.ranges, out);
    }

    TransactionImpl* transaction_;
    std::unique_ptr<store::Scanner> scanner_;
    std::vector<store::ColumnRange> ranges_;
    store::RowBatch rows_;
    std::size_t at_ = 0;
    std::size_t page_ = kPageFirst;
    std::string rest_row_;
    std::string rest_from_;
};

}  // namespace

Result<std::unique_ptr<ElementScan>> TransactionImpl::scan_vertices(std::vector<std::string> labels,
                                                                    const Projection& projection) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    auto codes = codes_of(labels, NameKind::kVertexLabel, *names_);
    const std::uint32_t coverage = coverage_of(projection);
    std::unique_ptr<store::Scanner> scanner;
    if (labels.empty() || !codes.empty()) {
        store::ScanSpec spec;
        spec.family = 'p';
        select(coverage, spec.ranges, spec.columns);
        HOB_ASSIGN_OR_RETURN(scanner, scan(std::move(spec)));
    }
    VertexSource source(*this, std::move(scanner), coverage, labels.empty(), std::move(codes));
    const std::size_t small = graph_->is_shared() ? kSortedMaxShared : kSortedMax;
    const bool known_large =
        graph_->vertex_ids().highest() > static_cast<std::int64_t>(2 * kSortedMax);
    return std::unique_ptr<ElementScan>(std::make_unique<OrderedScan<VertexSource>>(
        std::move(source), known_large ? kSortedMaxLarge : small));
}

Result<std::unique_ptr<ElementScan>> TransactionImpl::scan_edges(std::vector<std::string> labels) {
    HOB_TRY(call_.check());
    HOB_TRY(update_names());
    ExpandSpec wanted;
    wanted.labels = std::move(labels);
    auto ranges = ranges_of(wanted, ids(), *names_).out;
    for (auto& range : ranges) {
        range.cells_max = EdgeSource::kRowCells;
    }
    std::unique_ptr<store::Scanner> scanner;
    if (!ranges.empty()) {
        store::ScanSpec spec;
        spec.family = 'e';
        spec.ranges = ranges;
        HOB_ASSIGN_OR_RETURN(scanner, scan(std::move(spec)));
    }
    EdgeSource source(*this, std::move(scanner), std::move(ranges));
    std::size_t small = graph_->is_shared() ? kSortedMaxShared : kSortedMax;
    if (graph_->options().edge_ids == EdgeIdKind::kLong && !graph_->is_shared())
        small = kSortedEdgesMax;
    const bool known_large =
        graph_->edge_ids().highest() > static_cast<std::int64_t>(2 * kSortedEdgesMax);
    return std::unique_ptr<ElementScan>(std::make_unique<OrderedScan<EdgeSource>>(
        std::move(source), known_large ? kSortedMaxLarge : small));
}

}  // namespace hob::graph
