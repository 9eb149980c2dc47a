// The orders of a shop: Express and PostgreSQL, as `node --import ./instrument.mjs orders.mjs`.
import * as Sentry from '@sentry/node';
import express from 'express';
import pg from 'pg';

const database = new pg.Pool({ connectionString: process.env.SHOP_DATABASE_URL });
const app = express();

app.post('/orders/:article', async (request, response) => {
  const { article } = request.params;
  const { rows } = await database.query('SELECT name, price FROM articles WHERE id = $1', [article]);
  Sentry.logger.info(Sentry.logger.fmt`ordering ${rows[0].name}`);
  const total = applyDiscounts(rows[0].price);
  await database.query('INSERT INTO orders (article, total) VALUES ($1, $2)', [article, total]);
  const charged = await fetch(`${process.env.LEDGER_URL}/charges`, {
    method: 'POST',
    body: JSON.stringify({ total }),
  });
  if (!charged.ok) Sentry.logger.warn('the ledger answered with an error', { status: charged.status });
  response.status(charged.ok ? 201 : 502).json({ total, isCharged: charged.ok });
});

/** Busy for long enough that a profiler sees it. */
function applyDiscounts(price) {
  const until = performance.now() + 150;
  let rounds = 0;
  while (performance.now() < until) rounds += Math.sqrt(rounds) > 0 ? 1 : 2;
  return price - (rounds > 0 ? 1 : 0);
}

Sentry.setupExpressErrorHandler(app);
app.listen(Number(process.env.PORT), '127.0.0.1');
