import { formatPrice, type Price } from "./price";

/** Shows one price. */
export function PriceTag(props: { price: Price }) {
  return <span className="price">{formatPrice(props.price)}</span>;
}
