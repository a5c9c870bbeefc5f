module example.com/my-implementation/harness

go 1.19
