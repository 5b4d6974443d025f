// Command minio sets a MinIO server up for Capzone: a bucket for each service that the environment has a password
// of (MINIO_MAPS_PASSWORD and so on), and a user who may use this bucket only, besides what MINIO_MAPS_READS
// lists. It may be run again at any time, also to change the users' passwords.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/minio/madmin-go/v3"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"capzone.dev/platform/provision"
)

type config struct {
	Endpoint     string `env:"MINIO_ENDPOINT,required,notEmpty"`
	RootUser     string `env:"MINIO_ROOT_USER,required,notEmpty"`
	RootPassword string `env:"MINIO_ROOT_PASSWORD,required,notEmpty"`
}

func main() { provision.Main("provision-storage", setUp) }

// setUp makes what is absent and brings the rest up to date.
func setUp(ctx context.Context, cfg config) error {
	endpoint, err := url.Parse(cfg.Endpoint)
	if err != nil || endpoint.Host == "" {
		return fmt.Errorf("MINIO_ENDPOINT: %q is no address", cfg.Endpoint)
	}
	root := credentials.NewStaticV4(cfg.RootUser, cfg.RootPassword, "")
	secure := endpoint.Scheme == "https"
	files, err := minio.New(endpoint.Host, &minio.Options{Creds: root, Secure: secure, Region: "us-east-1"})
	if err != nil {
		return err
	}
	admin, err := madmin.NewWithOptions(endpoint.Host, &madmin.Options{Creds: root, Secure: secure})
	if err != nil {
		return err
	}
	for _, a := range readAccounts(os.Environ()) {
		if err := makeBucket(ctx, files, bucketOf(a.Service)); err != nil {
			return fmt.Errorf("bucket of %s: %w", a.Service, err)
		}
		if err := makeUser(ctx, admin, a); err != nil {
			return fmt.Errorf("user %s: %w", a.Service, err)
		}
	}
	return nil
}

func makeBucket(ctx context.Context, files *minio.Client, name string) error {
	err := files.MakeBucket(ctx, name, minio.MakeBucketOptions{})
	if code := minio.ToErrorResponse(err).Code; code == minio.BucketAlreadyOwnedByYou ||
		code == minio.BucketAlreadyExists {
		return nil
	}
	return err
}

func makeUser(ctx context.Context, admin *madmin.AdminClient, a account) error {
	document, err := a.policy()
	if err != nil {
		return err
	}
	name := "capzone-" + a.Service
	if err := admin.AddCannedPolicy(ctx, name, document); err != nil {
		return err
	}
	if err := admin.AddUser(ctx, a.Service, a.Password); err != nil {
		return err
	}
	_, err = admin.AttachPolicy(ctx, madmin.PolicyAssociationReq{Policies: []string{name}, User: a.Service})
	if refused, ok := errors.AsType[madmin.ErrorResponse](err); ok && refused.Code == attached {
		return nil
	}
	return err
}

// attached is MinIO's code for a policy that the user has already.
const attached = "XMinioAdminPolicyChangeAlreadyApplied"

// statement is a part of a document of the S3 policy language.
type statement struct {
	Effect           string
	Action, Resource []string
}

// account is a service's user of the object storage.
type account struct {
	Service, Password string
	// Reads are patterns of other services' files that it may read: capzone-maps/replays/*.
	Reads []string
}

// servicePassword matches the variables with the passwords of the services.
var servicePassword = regexp.MustCompile(`^MINIO_([A-Z]+)_PASSWORD=(.+)$`)

// readAccounts returns the accounts of an environment.
func readAccounts(environment []string) (accounts []account) {
	for _, variable := range environment {
		match := servicePassword.FindStringSubmatch(variable)
		if match == nil || match[1] == "ROOT" {
			continue
		}
		a := account{Service: strings.ToLower(match[1]), Password: match[2]}
		for _, other := range environment {
			if patterns, ok := strings.CutPrefix(other, "MINIO_"+match[1]+"_READS="); ok {
				a.Reads = strings.Fields(patterns)
			}
		}
		accounts = append(accounts, a)
	}
	return accounts
}

func bucketOf(service string) string { return "capzone-" + service }

// policy allows the service's own bucket and what it reads. Buckets can be
// listed, because an absent object is reported as absent only to users who may list.
func (a account) policy() ([]byte, error) {
	own := bucketOf(a.Service)
	statements := []statement{
		allow([]string{"s3:ListBucket", "s3:GetBucketLocation"}, own),
		allow([]string{"s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"}, own+"/*"),
	}
	for _, pattern := range a.Reads {
		bucket, _, _ := strings.Cut(pattern, "/")
		statements = append(statements,
			allow([]string{"s3:ListBucket"}, bucket), allow([]string{"s3:GetObject"}, pattern))
	}
	return json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": statements})
}

func allow(actions []string, resource string) statement {
	return statement{Effect: "Allow", Action: actions, Resource: []string{"arn:aws:s3:::" + resource}}
}
