#include <deque>

namespace shop {

/// A queue that forgets its oldest value when it is full.
class BoundedQueue {
public:
    explicit BoundedQueue(unsigned limit) : limit_(limit) {}

    void push(int value) {
        if (values_.size() == limit_) {
            values_.pop_front();
        }
        values_.push_back(value);
    }

private:
    unsigned limit_;
    std::deque<int> values_;
};

} // namespace shop
