/* In: rows. Out: a database, in one transaction. A new one is made under a temporary name; one that
 * is appended to is as it was until the transaction ends. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "export/file.h"
#include "export/sink.h"
#include "export/sqlite.h"
#include "message.h"

enum { APPLICATION_ID = 0x766b6d65, BUSY_MS = 10000 };

struct database {
  struct vkm_sink sink; /* first */
  const struct vkm_sink_request *request;
  struct vkm_sqlite sqlite;
  sqlite3 *handle;
  char *temporary; /* owned; NULL: appends to what is there */
  sqlite3_stmt *insert[VKM_EXPORT_TABLES];
  sqlite3_stmt *drop[VKM_EXPORT_TABLES]; /* rows of a profile, by its id */
};

static bool failed(const struct database *database) {
  vkm_error("cannot write '%s': %s; nothing was changed", database->request->path,
            database->sqlite.errmsg(database->handle));
  return false;
}

static bool execute(struct database *database, const char *statement) {
  return database->sqlite.exec(database->handle, statement, NULL, NULL, NULL) == SQLITE_OK ||
         failed(database);
}

/* Statements are put together of names of tables and columns only. */
static bool execute_text(struct database *database, struct vkm_text *text) {
  bool good = !text->failed && execute(database, text->data);
  if (text->failed) {
    vkm_error("out of memory; end other programs");
  }
  vkm_text_finish(text);
  return good;
}

static sqlite3_stmt *prepare(struct database *database, struct vkm_text *text) {
  sqlite3_stmt *statement = NULL;
  if (text->failed) {
    vkm_error("out of memory; end other programs");
  } else if (database->sqlite.prepare_v2(database->handle, text->data, -1, &statement, NULL) !=
             SQLITE_OK) {
    (void)failed(database);
  }
  vkm_text_finish(text);
  return statement;
}

static bool create_table(struct database *database, const struct vkm_export_table *table) {
  static const char *const types[] = {"", "TEXT", "INTEGER", "REAL", "BOOLEAN"};
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "CREATE TABLE IF NOT EXISTS ");
  vkm_text_string(&text, table->name);
  for (size_t i = 0; i < table->column_count; i++) {
    vkm_text_string(&text, i > 0 ? ", " : " (");
    vkm_text_string(&text, table->columns[i].name);
    vkm_text_string(&text, " ");
    vkm_text_string(&text, types[table->columns[i].kind]);
  }
  vkm_text_string(&text, ")");
  return execute_text(database, &text);
}

static bool has_profile(enum vkm_export_table_id table) {
  return table != VKM_EXPORT_export_info;
}

/* What is looked up by it: a profile that is exported again. */
static bool create_index(struct database *database, const struct vkm_export_table *table) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "CREATE INDEX IF NOT EXISTS ");
  vkm_text_string(&text, table->name);
  vkm_text_string(&text, "_profile ON ");
  vkm_text_string(&text, table->name);
  vkm_text_string(&text, " (profile_id)");
  return execute_text(database, &text);
}

static bool prepare_table(struct database *database, enum vkm_export_table_id id) {
  const struct vkm_export_table *table = &vkm_export_tables[id];
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "INSERT INTO ");
  vkm_text_string(&text, table->name);
  for (size_t i = 0; i < table->column_count; i++) {
    vkm_text_string(&text, i > 0 ? ", ?" : " VALUES (?");
  }
  vkm_text_string(&text, ")");
  database->insert[id] = prepare(database, &text);
  if (has_profile(id) && database->insert[id] != NULL) {
    vkm_text_init(&text, SIZE_MAX);
    vkm_text_string(&text, "DELETE FROM ");
    vkm_text_string(&text, table->name);
    vkm_text_string(&text, " WHERE profile_id = ?");
    database->drop[id] = prepare(database, &text);
  }
  return database->insert[id] != NULL && (!has_profile(id) || database->drop[id] != NULL);
}

/* One whole number that a statement gives. */
static bool ask(struct database *database, const char *question, sqlite3_int64 *answer) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, question);
  sqlite3_stmt *statement = prepare(database, &text);
  if (statement == NULL) {
    return false;
  }
  bool good = database->sqlite.step(statement) == SQLITE_ROW;
  *answer = good ? database->sqlite.column_int64(statement, 0) : 0;
  database->sqlite.finalize(statement);
  return good || failed(database);
}

/* Rows may only be added to a database of the same kind and version. */
static bool check_known(struct database *database) {
  sqlite3_int64 application = 0;
  sqlite3_int64 version = 0;
  if (!ask(database, "PRAGMA application_id", &application) ||
      !ask(database, "PRAGMA user_version", &version)) {
    return false;
  }
  if (application == APPLICATION_ID && version == VKM_EXPORT_VERSION) {
    return true;
  }
  vkm_error("cannot append to '%s': %s; export into another file", database->request->path,
            application == APPLICATION_ID ? "its tables are of another version of vkmeter"
                                          : "it is no database that vkmeter export wrote");
  return false;
}

static bool mark(struct database *database) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "PRAGMA application_id = ");
  vkm_text_i64(&text, APPLICATION_ID);
  vkm_text_string(&text, "; PRAGMA user_version = ");
  vkm_text_i64(&text, VKM_EXPORT_VERSION);
  return execute_text(database, &text);
}

static bool open_database(struct database *database) {
  const struct vkm_sink_request *request = database->request;
  struct stat found;
  if (!request->append || stat(request->path, &found) != 0 || found.st_size == 0) {
    int descriptor = -1;
    database->temporary = vkm_export_temporary(request->path, &descriptor);
    if (database->temporary == NULL) {
      return vkm_export_cannot_write(request->path);
    }
    (void)close(descriptor);
  }
  const char *path = database->temporary != NULL ? database->temporary : request->path;
  struct vkm_sqlite *sqlite = &database->sqlite;
  int status = sqlite->open_v2(path, &database->handle, SQLITE_OPEN_READWRITE, NULL);
  if (database->handle == NULL) {
    vkm_error("out of memory; end other programs");
    return false;
  }
  return (status == SQLITE_OK && sqlite->busy_timeout(database->handle, BUSY_MS) == SQLITE_OK) ||
         failed(database);
}

/* What nobody has seen needs no journal. */
static bool begin(struct database *database) {
  bool good = database->temporary != NULL
                  ? execute(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") &&
                        mark(database) && execute(database, "BEGIN")
                  : execute(database, "BEGIN IMMEDIATE") && check_known(database);
  for (size_t i = 0; good && i < VKM_EXPORT_TABLES; i++) {
    enum vkm_export_table_id id = (enum vkm_export_table_id)i;
    good = create_table(database, &vkm_export_tables[i]) && prepare_table(database, id) &&
           (database->temporary != NULL || !has_profile(id) ||
            create_index(database, &vkm_export_tables[i]));
  }
  return good && execute(database, "DELETE FROM export_info");
}

static bool run(struct database *database, sqlite3_stmt *statement) {
  bool good = database->sqlite.step(statement) == SQLITE_DONE;
  good = good || failed(database);
  (void)database->sqlite.reset(statement);
  return good;
}

static bool replace(struct vkm_sink *sink, const char *profile_id) {
  struct database *database = (struct database *)sink;
  for (size_t i = 0; database->temporary == NULL && i < VKM_EXPORT_TABLES; i++) {
    sqlite3_stmt *drop = database->drop[i];
    if (drop == NULL) {
      continue;
    }
    if (database->sqlite.bind_text(drop, 1, profile_id, -1, SQLITE_STATIC) != SQLITE_OK) {
      return failed(database);
    }
    if (!run(database, drop)) {
      return false;
    }
  }
  return true;
}

static int bind(struct database *database, sqlite3_stmt *statement, int place,
                const struct vkm_cell *cell) {
  const struct vkm_sqlite *sqlite = &database->sqlite;
  switch (cell->kind) {
  case VKM_CELL_TEXT:
    return sqlite->bind_text(statement, place, cell->as.text, -1, SQLITE_STATIC);
  case VKM_CELL_INTEGER:
    return sqlite->bind_int64(statement, place, cell->as.integer);
  case VKM_CELL_REAL:
    return sqlite->bind_double(statement, place, cell->as.real);
  case VKM_CELL_BOOL:
    return sqlite->bind_int64(statement, place, cell->as.truth);
  default:
    return sqlite->bind_null(statement, place);
  }
}

static bool add_row(struct vkm_sink *sink, enum vkm_export_table_id table,
                    const struct vkm_cell *cells) {
  struct database *database = (struct database *)sink;
  sqlite3_stmt *insert = database->insert[table];
  for (size_t i = 0; i < vkm_export_tables[table].column_count; i++) {
    if (bind(database, insert, (int)i + 1, &cells[i]) != SQLITE_OK) {
      return failed(database);
    }
  }
  return run(database, insert);
}

static void close_database(struct database *database) {
  for (size_t i = 0; i < VKM_EXPORT_TABLES; i++) {
    database->sqlite.finalize(database->insert[i]);
    database->sqlite.finalize(database->drop[i]);
    database->insert[i] = database->drop[i] = NULL;
  }
  if (database->handle != NULL) {
    (void)database->sqlite.close(database->handle); /* rolls back what was not committed */
  }
  database->handle = NULL;
}

static bool conclude(struct vkm_sink *sink) {
  struct database *database = (struct database *)sink;
  bool good = true;
  for (size_t i = 0; good && database->temporary != NULL && i < VKM_EXPORT_TABLES; i++) {
    good =
        !has_profile((enum vkm_export_table_id)i) || create_index(database, &vkm_export_tables[i]);
  }
  good = good && execute(database, "COMMIT");
  close_database(database);
  if (good && database->temporary != NULL) {
    good = rename(database->temporary, database->request->path) == 0 ||
           vkm_export_cannot_write(database->request->path);
    if (good) {
      free(database->temporary);
      database->temporary = NULL;
    }
  }
  return good;
}

static void destroy(struct vkm_sink *sink) {
  struct database *database = (struct database *)sink;
  close_database(database);
  if (database->temporary != NULL) {
    (void)unlink(database->temporary);
    free(database->temporary);
  }
  free(database);
}

struct vkm_sink *vkm_sink_sqlite(const struct vkm_sink_request *request) {
  static const struct vkm_sink_methods methods = {replace, add_row, conclude, destroy};
  if (request->path == NULL || !vkm_export_replaceable(request->path)) {
    vkm_error("sqlite makes a file: give its path with --output%s%s",
              request->path != NULL ? ", not " : "", request->path != NULL ? request->path : "");
    return NULL;
  }
  struct database *database = calloc(1, sizeof *database);
  if (database == NULL) {
    vkm_error("out of memory; end other programs");
    return NULL;
  }
  database->sink.methods = &methods;
  database->request = request;
  if (!vkm_sqlite_load(&database->sqlite)) {
    free(database);
    return NULL;
  }
  if (!open_database(database) || !begin(database)) {
    destroy(&database->sink);
    return NULL;
  }
  return &database->sink;
}
