/** A price in cents with its currency. */
export interface Price {
  cents: number;
  currency: string;
}

/** Formats a price for people to read. */
export function formatPrice(price: Price): string {
  return `${(price.cents / 100).toFixed(2)} ${price.currency}`;
}

export class Basket {
  private prices: Price[] = [];

  add(price: Price): void {
    this.prices.push(price);
  }
}
