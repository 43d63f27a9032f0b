/** The Debian package of each PHP extension. Most have its name, with hyphens. Pure. */

/** The packages of several extensions, without `php8.2-`. */
const PACKAGES: Record<string, readonly string[]> = {
  mysql: ['mysqli', 'mysqlnd', 'pdo_mysql'],
  sqlite3: ['sqlite3', 'pdo_sqlite'],
  pgsql: ['pgsql', 'pdo_pgsql'],
  odbc: ['odbc', 'pdo_odbc'],
  sybase: ['pdo_dblib'],
  interbase: ['interbase', 'pdo_firebird'],
  xml: ['xml', 'dom', 'simplexml', 'xmlreader', 'xmlwriter', 'xsl'],
  common: ['calendar', 'ctype', 'exif', 'ffi', 'fileinfo', 'ftp', 'gettext', 'iconv', 'pdo', 'phar', 'posix'].concat([
    'shmop',
    'sockets',
    'sysvmsg',
    'sysvsem',
    'sysvshm',
    'tokenizer',
  ]),
}

/** @param php the version, such as 8.2, or a placeholder @param extension as in composer.json, without `ext-` */
export function debianPackage(php: string, extension: string): string {
  const [name] = Object.entries(PACKAGES).find(([, extensions]) => extensions.includes(extension)) ?? [extension.replaceAll('_', '-')]
  return `php${php}-${name}`
}
