package main

import "encoding/json"

// policy is a document of the S3 policy language.
type policy struct {
	Version   string
	Statement []statement
}

type statement struct {
	Effect   string
	Action   []string
	Resource []string
}

// account is a service's user of the object storage.
type account struct {
	Service string
	// Reads are other services' files that it may read, as bucket/pattern.
	Reads map[string]string
}

// accounts are the services that keep files. Records takes in the runs that
// came with submitted maps, and so reads the replays of maps.
var accounts = []account{
	{Service: "maps"},
	{Service: "players"},
	{Service: "records", Reads: map[string]string{bucketOf("maps"): "replays/*"}},
}

func bucketOf(service string) string { return "capzone-" + service }

// policy allows the service's own bucket and what it reads. Buckets can be
// listed, because an absent object is reported as absent only to users who may list.
func (a account) policy() ([]byte, error) {
	own := bucketOf(a.Service)
	p := policy{Version: "2012-10-17", Statement: []statement{
		allow([]string{"s3:ListBucket", "s3:GetBucketLocation"}, own),
		allow([]string{"s3:GetObject", "s3:PutObject", "s3:DeleteObject"}, own+"/*"),
	}}
	for bucket, pattern := range a.Reads {
		p.Statement = append(p.Statement,
			allow([]string{"s3:ListBucket"}, bucket),
			allow([]string{"s3:GetObject"}, bucket+"/"+pattern))
	}
	return json.Marshal(p)
}

func allow(actions []string, resource string) statement {
	return statement{Effect: "Allow", Action: actions, Resource: []string{"arn:aws:s3:::" + resource}}
}
