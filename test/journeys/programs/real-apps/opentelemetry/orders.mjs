// The orders of a shop: Express and PostgreSQL, as `node --import ./instrument.mjs orders.mjs`.
import { request as sendRequest } from 'node:http';
import { logs, SeverityNumber } from '@opentelemetry/api';
import express from 'express';
import pg from 'pg';

const database = new pg.Pool({ connectionString: process.env.SHOP_DATABASE_URL });
const logger = logs.getLogger('orders');
const app = express();

app.post('/orders/:article', async (request, response) => {
  const { rows } = await database.query('SELECT name, price FROM articles WHERE id = $1', [
    request.params.article,
  ]);
  logger.emit({
    severityNumber: SeverityNumber.INFO,
    severityText: 'INFO',
    body: `ordering ${rows[0].name}`,
  });
  const status = await charge(rows[0].price);
  response.status(status === 201 ? 201 : 502).end();
});

function charge(total) {
  return new Promise((resolve, reject) => {
    const asked = sendRequest(`${process.env.LEDGER_URL}/charges`, { method: 'POST' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ total }));
  });
}

app.listen(Number(process.env.PORT), '127.0.0.1');
