<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Front\Answer;
use AsyncPhpBench\Front\Constants;
use AsyncPhpBench\Front\Ending;
use AsyncPhpBench\Front\GlobalVariables;
use AsyncPhpBench\Front\Input;
use AsyncPhpBench\Front\Run;
use AsyncPhpBench\Front\Session;
use AsyncPhpBench\Front\Superglobals;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;

/**
 * A script such as public/index.php, run again for each request by a process that lives on. PHP-FPM does not need it:
 * there the web server names the script.
 *
 * Carried over per request: superglobals, php://input, output, headers, cookies, sessions, exit, shutdown functions,
 * uncaught exceptions, error handlers. What PHP has loaded, declared or been configured to stays.
 */
final class FrontScript implements Adapter
{
    private readonly Superglobals $superglobals;

    private bool $hasServed = false;

    private bool $isChecked = false;

    /** @param string $project root of the app's files */
    public function __construct(private readonly string $script, private readonly string $project)
    {
        $this->superglobals = new Superglobals($script, getenv());
    }

    /** @throws AppError if what header() and the like send would be lost */
    public function boot(): void
    {
        if (function_exists('header') && (new \ReflectionFunction('header'))->isInternal()) {
            throw new AppError(
                'A front script cannot run in this runtime: PHP on the command line discards what header(), setcookie() and'
                . ' session_start() send. Its runtime.yml must start PHP with {front-functions}.',
            );
        }
        require_once __DIR__ . '/../../functions.php';
    }

    public function handle(Request $request): Response
    {
        $this->hasServed = true;
        $timeLimit = (int) ini_get('max_execution_time');
        $answer = Answer::begin();
        $this->superglobals->fill($request);
        $session = Session::begin($request->cookies);
        // PHP keeps the body of a form with files from the script.
        Input::provide($request->files === [] ? $request->body : '');
        chdir(dirname($this->script));
        Constants::allowAgain();

        $body = $this->output();

        $session->end();
        Run::beforeHeaders();
        Run::dropHandlers();
        Input::withdraw();
        if ((int) ini_get('max_execution_time') !== $timeLimit) {
            // The time would go on running for the whole process.
            set_time_limit($timeLimit);
        }

        return $answer->response($body);
    }

    public function worksAfterAnswer(): bool
    {
        return false;
    }

    public function finish(): void
    {
        // The built-in paths end here, too.
        if (!$this->hasServed || $this->isChecked) {
            return;
        }
        $this->isChecked = true;
        // For preflight, which shows the log beside an answer that is wrong.
        $sentence = GlobalVariables::expectedBy(get_included_files(), $this->project);
        if ($sentence !== null) {
            error_log($sentence);
        }
    }

    /** What the script and its shutdown functions write. */
    private function output(): string
    {
        $level = ob_get_level();
        $text = '';
        ob_start(static function (string $chunk, int $phase) use (&$text): string {
            $text .= ($phase & PHP_OUTPUT_HANDLER_CLEAN) === 0 ? $chunk : '';
            // Output handlers are what PHP calls last when it dies of an error that nobody can catch.
            $death = Ending::ofSecondInclude();
            if ($death !== null) {
                error_log($death);
            }

            return '';
        });
        Run::script($this->script);
        if (ob_get_level() <= $level) {
            error_log("$this->script closed output buffers that it had not opened. Its later output is lost in this runtime.");
        }
        while (ob_get_level() > $level) {
            ob_end_flush();
        }

        return $text;
    }
}
