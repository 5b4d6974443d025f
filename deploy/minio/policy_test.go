package main

import (
	"bytes"
	"testing"

	judge "github.com/minio/pkg/v3/policy"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
)

// Judged by the library by which the server judges.
func TestAccounts_reach_their_own_files_only(t *testing.T) {
	t.Parallel()
	all := []string{"capzone-maps", "capzone-players", "capzone-records", "capzone-other"}
	for _, a := range []account{
		{Service: "maps"}, {Service: "players"},
		{Service: "records", Reads: []string{"capzone-maps/replays/*", "capzone-maps/maps/*"}},
	} {
		document, err := a.policy()
		require.NoError(t, err)
		p, err := judge.ParseConfig(bytes.NewReader(document))
		require.NoError(t, err)
		may := func(action judge.Action, bucket, object string) bool {
			return p.IsAllowed(
				judge.Args{AccountName: a.Service, Action: action, BucketName: bucket, ObjectName: object,
					ConditionValues: map[string][]string{}},
			)
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

func TestReadAccounts(t *testing.T) {
	t.Parallel()
	got := readAccounts([]string{"MINIO_ROOT_PASSWORD=root", "MINIO_MAPS_PASSWORD=of=maps", "HOME=/",
		"MINIO_RECORDS_READS=capzone-maps/replays/* capzone-maps/maps/*", "MINIO_RECORDS_PASSWORD=of records",
		"MINIO_PLAYERS_PASSWORD="})
	want := []account{
		{Service: "maps", Password: "of=maps"},
		{Service: "records", Password: "of records", Reads: []string{"capzone-maps/replays/*", "capzone-maps/maps/*"}},
	}
	assert.Equal(t, "accounts", want, got)
}
