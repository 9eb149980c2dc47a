// Everything that the SDK for Go sends by its own means, once.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              os.Getenv("SENTRY_DSN"),
		Release:          "conformance-go@1.0.0",
		Environment:      "conformance",
		EnableTracing:    true,
		TracesSampleRate: 1,
		SendDefaultPII:   true,
	})
	if err != nil {
		panic(err)
	}
	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{ID: "7", Email: "ada@example.com"})
		scope.AddAttachment(&sentry.Attachment{Filename: "notes.txt", ContentType: "text/plain", Payload: []byte("attached by Go")})
	})
	span := sentry.StartTransaction(context.Background(), "GET /ledger")
	child := span.StartChild("db.query")
	child.Finish()
	sentry.CaptureException(errors.New("the card was refused"))
	sentry.CaptureMessage("A message of Go")
	span.Finish()
	sentry.NewLogger(span.Context()).Info().Int("attempt", 3).Emit("A log of Go")
	id := sentry.CaptureCheckIn(
		&sentry.CheckIn{MonitorSlug: "nightly", Status: sentry.CheckInStatusInProgress},
		&sentry.MonitorConfig{Schedule: sentry.CrontabSchedule("0 3 * * *")},
	)
	sentry.CaptureCheckIn(&sentry.CheckIn{ID: *id, MonitorSlug: "nightly", Status: sentry.CheckInStatusOK, Duration: 3 * time.Second}, nil)
	if !sentry.Flush(20 * time.Second) {
		os.Exit(1)
	}
}
