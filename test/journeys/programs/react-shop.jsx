import * as Sentry from '@sentry/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const settings = new URLSearchParams(window.location.search);

Sentry.init({
  dsn: settings.get('dsn'),
  release: 'react-shop@3.1.0',
  environment: 'production',
  integrations: [Sentry.replayIntegration({ maskAllText: false, minReplayDuration: 1_000 })],
  replaysSessionSampleRate: 1,
  replaysOnErrorSampleRate: 1,
});
Sentry.setUser({ id: '7', email: 'grace@example.com' });
window.findReplayId = () => Sentry.getReplay()?.getReplayId();

const ARTICLES = [
  { name: 'Walnut desk', price: 420 },
  { name: 'Brass lamp', price: 85 },
  { name: 'Wool rug', price: 160 },
];

function Shop() {
  const [cart, setCart] = useState([]);
  const [coupon, setCoupon] = useState(null);
  const total = cart.reduce((sum, { price }) => sum + price, 0);
  // The mistake: no code is ever known, so the state stays as it was and nothing is drawn anew.
  const applyCoupon = () => setCoupon((current) => current);
  return (
    <main>
      <h1>Furniture</h1>
      <ul aria-label="Articles">
        {ARTICLES.map((article) => (
          <li key={article.name}>
            {article.name} <b>{article.price} €</b>{' '}
            <button type="button" onClick={() => setCart([...cart, article])}>
              Add {article.name}
            </button>
          </li>
        ))}
      </ul>
      <section aria-label="Cart">
        <h2>Cart ({cart.length})</h2>
        <p className="total">Total: {total} €</p>
        <button type="button" className="dead" onClick={applyCoupon}>
          Apply coupon
        </button>{' '}
        <Sentry.ErrorBoundary fallback={<p>Checkout is not available</p>}>
          <Checkout coupon={coupon} />
        </Sentry.ErrorBoundary>
      </section>
    </main>
  );
}

function Checkout({ coupon }) {
  const [isPaying, setIsPaying] = useState(false);
  if (isPaying) return <p>Discount: {coupon.percent} %</p>;
  return (
    <button type="button" onClick={() => setIsPaying(true)}>
      Check out
    </button>
  );
}

createRoot(document.getElementById('root')).render(<Shop />);
