module conformance

go 1.23
