#!/bin/sh
# Creates a database and two roles for each service that the environment has a password of (POSTGRES_MAPS_PASSWORD and so on), to
# which no other role can connect, and sets the superuser's password.
# PostgreSQL's image runs it when the volume is new; run again it only sets the passwords, which is how they are changed.
set -eu

for variable in $(env | sed -nE 's/^(POSTGRES_[A-Z]+_PASSWORD)=.*/\1/p'); do
  service=$(printf %s "$variable" | sed -E 's/^POSTGRES_(.*)_PASSWORD$/\1/' | tr '[:upper:]' '[:lower:]')
  eval "password=\${$variable:?is empty}"
  # The password goes through the environment: arguments can be seen by every process.
  SERVICE="$service" PASSWORD="$password" psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
    --username "${POSTGRES_USER:-postgres}" --dbname postgres <<-'SQL'
		\getenv service SERVICE
		\getenv password PASSWORD
		\set database capzone_ :service
		select format('create role %I login', :'service')
		 where not exists (select from pg_roles where rolname = :'service') \gexec
		\set application :service _app
		select format('create role %I login', :'application')
		 where not exists (select from pg_roles where rolname = :'application') \gexec
		alter role :"application" with login nosuperuser nocreatedb nocreaterole noreplication connection limit 200 password :'password';
		alter role :"service" with login nosuperuser nocreatedb nocreaterole noreplication connection limit 200 password :'password';
		select format('create database %I owner %I', :'database', :'service')
		 where not exists (select from pg_database where datname = :'database') \gexec
		revoke all on database :"database" from public;
		grant connect on database :"database" to :"application";
	SQL
done
PASSWORD="${POSTGRES_PASSWORD:?is not set}" psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
  --username "${POSTGRES_USER:-postgres}" --dbname postgres <<-'SQL'
	\getenv password PASSWORD
	alter role current_user with password :'password';
SQL
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --command 'revoke all on database postgres from public'
