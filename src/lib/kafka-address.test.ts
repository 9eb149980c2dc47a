import { expect, test } from 'vitest';
import { parseKafkaAddress } from './kafka-address.ts';

test('reads brokers, topic and every option', () => {
  expect(
    parseKafkaAddress(
      'kafka://a:9092,b.example.com:9093,[::1]:9094/errata?tls=on&sasl=scram-sha-512&compression=zstd&partitions=24&replicas=3',
    ),
  ).toEqual({
    brokers: ['a:9092', 'b.example.com:9093', '[::1]:9094'],
    topic: 'errata',
    hasTls: true,
    mechanism: 'SCRAM-SHA-512',
    compression: 'zstd',
    partitions: 24,
    replicas: 3,
  });
  expect(parseKafkaAddress('kafka://a:9092/errata')).toEqual({
    brokers: ['a:9092'],
    topic: 'errata',
    hasTls: false,
    mechanism: null,
    compression: 'lz4',
    partitions: 12,
    replicas: null,
  });
});

test.each([
  ['a:9092', /kafka:\/\/host:9092/],
  ['kafka://a:9092', /kafka:\/\/host:9092/],
  ['kafka://a/errata', /"a" is not host:port/],
  ['kafka://a:99999/errata', /is not host:port/],
  ['kafka://a:9092,/errata', /"" is not host:port/],
  ['kafka://user:hidden@a:9092/errata', /^(?!.*hidden).*ERRATA_KAFKA_USERNAME/],
  ['kafka://a:9092/er rata', /not the name of a topic/],
  ['kafka://a:9092/..', /not the name of a topic/],
  ['kafka://a:9092/errata?tls=yes', /tls "yes" is none of on, off/],
  ['kafka://a:9092/errata?sasl=gssapi', /sasl "gssapi" is none of plain/],
  ['kafka://a:9092/errata?partitions=0', /partitions "0" is not a number from 1/],
  ['kafka://a:9092/errata?retention=1', /"retention" is unknown/],
])('refuses %s', (text, message) => {
  expect(() => parseKafkaAddress(text)).toThrow(message);
});
