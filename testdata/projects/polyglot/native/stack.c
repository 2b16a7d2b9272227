#include "stack.h"

int stack_push(struct stack *stack, int value) {
    if (stack->depth == STACK_MAX) {
        return 0;
    }
    stack->values[stack->depth++] = value;
    return 1;
}
