module example.invalid/{{slug}}

go 1.20
