import * as Sentry from '@sentry/browser';

const settings = new URLSearchParams(window.location.search);

Sentry.init({
  dsn: settings.get('dsn'),
  release: 'shop-web@2.0.1',
  beforeSend: (event) => {
    window.sentEventId = event.event_id;
    return event;
  },
});

function renderTotal(cart) {
  return cart.lines.length;
}

function onCheckout() {
  renderTotal({});
}

document.querySelector('button').addEventListener('click', onCheckout);
