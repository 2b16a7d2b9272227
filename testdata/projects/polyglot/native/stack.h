#ifndef STACK_H
#define STACK_H

/* A stack of at most STACK_MAX numbers. */
#define STACK_MAX 64

struct stack {
    int values[STACK_MAX];
    int depth;
};

/* Pushes a value; returns 0 when the stack is full. */
int stack_push(struct stack *stack, int value);

#endif
