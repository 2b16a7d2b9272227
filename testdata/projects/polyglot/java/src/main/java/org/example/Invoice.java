package org.example;

/** An invoice with a number. */
public final class Invoice {
    private final long number;

    public Invoice(long number) {
        this.number = number;
    }

    /** Renders the invoice as one line. */
    public String render() {
        return "invoice " + number;
    }

    enum State {
        OPEN,
        PAID
    }
}
