-- compose.yaml has PostgreSQL's image run this once, as its superuser, on a new volume: the shop's own role, which is no superuser, and its database.
\set ON_ERROR_STOP on
\getenv password POSTGRES_PASSWORD
create role entrance login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database entrance owner entrance;
-- The database is the role's alone.
revoke connect, temporary on database entrance from public;
-- The image has given the superuser the same password. Without one it logs in through the container's socket alone: docker compose exec database psql -U postgres
alter role current_user password null;
