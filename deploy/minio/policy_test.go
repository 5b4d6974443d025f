package main

import (
	"bytes"
	"testing"

	judge "github.com/minio/pkg/v3/policy"
)

// Judged by the library by which the server judges.
func TestAccounts_reach_their_own_files_only(t *testing.T) {
	t.Parallel()
	all := []string{"capzone-maps", "capzone-players", "capzone-records", "capzone-other"}
	for _, a := range accounts {
		document, err := a.policy()
		if err != nil {
			t.Fatal(err)
		}
		p, err := judge.ParseConfig(bytes.NewReader(document))
		if err != nil {
			t.Fatal(err)
		}
		may := func(action judge.Action, bucket, object string) bool {
			return p.IsAllowed(judge.Args{AccountName: a.Service, Action: action, BucketName: bucket, ObjectName: object,
				ConditionValues: map[string][]string{}})
		}
		for _, bucket := range all {
			own := bucket == bucketOf(a.Service)
			for _, object := range []string{"replays/1.lbReplay", "maps/1.webp", "skins/1.webp"} {
				reads := a.Service == "records" && bucket == "capzone-maps" && object != "skins/1.webp"
				for action, want := range map[judge.Action]bool{
					judge.GetObjectAction: own || reads, judge.PutObjectAction: own, judge.DeleteObjectAction: own,
				} {
					if got := may(action, bucket, object); got != want {
						t.Errorf("%s may %s %s/%s: %v, want %v", a.Service, action, bucket, object, got, want)
					}
				}
			}
			if list := own || a.Service == "records" &&
				bucket == "capzone-maps"; may(judge.ListBucketAction, bucket, "") != list {
				t.Errorf("%s may list %s: %v", a.Service, bucket, !list)
			}
			for _, action := range []judge.Action{judge.CreateBucketAction, judge.DeleteBucketAction,
				judge.PutBucketPolicyAction} {
				if may(action, bucket, "") {
					t.Errorf("%s may %s %s", a.Service, action, bucket)
				}
			}
		}
		for _, action := range []judge.Action{judge.ListAllMyBucketsAction, "admin:CreateUser", "admin:ServerInfo"} {
			if may(action, "", "") {
				t.Errorf("%s may %s", a.Service, action)
			}
		}
	}
}

// Each user has a password of its own.
func TestUsersConf_passwords(t *testing.T) {
	t.Parallel()
	c := config{Maps: "of maps", Players: "of players", Records: "of records"}
	for _, a := range accounts {
		if got := c.passwordOf(a.Service); got != "of "+a.Service {
			t.Errorf("%s has the password %q", a.Service, got)
		}
	}
}
