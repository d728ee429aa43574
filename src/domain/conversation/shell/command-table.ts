/**
 * What is known of commands by their names, the one table of command families (docs/spec/reading.md §1, docs/spec/truth.md §2). A
 * command is looked up by its program, and by program and subcommand where the program has such.
 */

/** Programs whose first word beside options says what they do. */
export const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(
  'git cargo go docker podman docker-compose kubectl oc terraform tofu pulumi make gradle gradlew mvn dotnet helm just task mix swift gh glab pip pip3 brew apt apt-get apk dnf yum rails php composer flutter mise systemctl service launchctl pm2 npm pnpm yarn bun uv poetry pipx conda gem bundle nix dart deno vercel fly wrangler aws gcloud az heroku'.split(
    ' ',
  ),
)

/** Options of such programs that take the word after them. */
export const VALUE_OPTIONS: ReadonlySet<string> = new Set(
  '-C -c -f -n -p -R -w --prefix --filter --dir --cwd --git-dir --work-tree --namespace --context --kubeconfig --file --project --repo --workspace --package'.split(
    ' ',
  ),
)

/** Words that run another command: taken off before a command is looked up. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  'sudo doas time nohup env command exec nice stdbuf xvfb-run then do else if while until ! {'.split(' '),
)
/** Runners of a package's programs. */
export const RUNNERS: ReadonlySet<string> = new Set([
  'npx',
  'bunx',
  'pnpx',
  'pnpm exec',
  'pnpm dlx',
  'yarn dlx',
  'yarn exec',
  'npm exec',
  'uv run',
  'uvx',
  'poetry run',
  'pipenv run',
  'bundle exec',
  'python -m',
  'python3 -m',
  'deno run',
  'mise exec',
  'nix run',
])

/** Holds a script together and does nothing itself. */
export const SCAFFOLDING: ReadonlySet<string> = new Set(
  'cd pushd popd export set unset source . true false : echo printf do done fi then else elif esac } ) wait exit read shift local declare trap ulimit umask'.split(
    ' ',
  ),
)

/** Only look: what they print about errors is content, and what they do not find blocks nobody. */
export const LOOKING: ReadonlySet<string> = new Set(
  (
    'grep egrep fgrep rg ag ack find fd ls cat bat head tail less more sed awk jq yq wc which whereis type file stat tree pwd printf echo cut sort uniq tr nl column diff cmp comm test [ [[ pgrep ps top env printenv du df date uname whoami id hostname hexdump xxd strings od md5sum sha256sum basename dirname realpath readlink man help sleep for tee xargs lsof ss netstat ping dig nslookup history command\n' +
    'git log|git show|git diff|git status|git blame|git grep|git branch|git ls-files|git rev-parse|git rev-list|git remote|git config|git fetch|git describe|git reflog|git shortlog|git cat-file|git merge-base|git for-each-ref\n' +
    'gh pr view|gh pr list|gh pr diff|gh pr checks|gh pr status|gh issue view|gh issue list|gh run view|gh run list|gh run watch|gh repo view|gh api|gh search\n' +
    'docker ps|docker images|docker logs|docker inspect|docker stats|kubectl get|kubectl describe|kubectl logs|systemctl status|systemctl is-active|systemctl list-units\n' +
    'npm ls|npm view|npm outdated|npm config|pip show|pip list|pip freeze|cargo tree|cargo metadata|go list|go env|go version|go doc'
  )
    .split('\n')
    .flatMap((line, at) => line.split(at === 0 ? ' ' : '|')),
)
/** Ways of a program that does more otherwise. */
export const LOOKING_TEXT =
  /^(?:curl|wget|sqlite3|psql|mysql)\s(?!.*(?:\s-X ?(?:POST|PUT|PATCH|DELETE)|--request|--data|\s-d\s|(?:insert|update|delete|alter|drop|create|truncate)\s))|^(?:node|tsx|ts-node|bun|deno) (?:-e|-p|--eval|--print|eval)\b|^(?:python3?|ruby|perl) (?:-c|-e|-(?:\s|$))|^(?:python3?|node|bash|sh)$|^\S+ (?:--version|-[vV]|--help|-h)$/i

/** Exit code 1 of these is an answer: nothing found, they differ, there is no such thing (docs/spec/truth.md §2). */
export const ANSWERS_BY_ONE: ReadonlySet<string> = new Set(
  (
    'grep egrep fgrep rg ag ack test [ [[ diff cmp comm which type pgrep pkill killall ls find fd cat head tail stat file readlink command\n' +
    'git diff|git grep|git merge-base|git config|git rev-parse|git show-ref|git check-ignore|git ls-remote|systemctl status|systemctl is-active|gh pr checks'
  )
    .split('\n')
    .flatMap((line, at) => line.split(at === 0 ? ' ' : '|')),
)
/** A file that is not there is an answer too; some of them say it with a 2. */
export const EXPLORES: ReadonlySet<string> = new Set('ls find fd cat head tail stat file wc tree rg grep'.split(' '))

/** What changes something outside the conversation. Matched against the bare command. */
export const CHANGES: readonly RegExp[] = [
  /^git (?:-C \S+ )?(?:commit|push|merge|rebase|reset|cherry-pick|revert|clone|init|am|apply|mv|rm|pull|restore|clean|stash(?! (?:list|show))|tag (?!-l\b|--list\b|-n|--contains|--points-at)\S|checkout -[bB]|switch -[cC]|branch (?:-[dDmMcC]|--delete|--move)|worktree (?:add|remove|move)|submodule (?:add|update|deinit))(?:\s|$)/,
  /^(?:npm|pnpm|yarn|bun) (?:install|i|ci|add|remove|rm|uninstall|publish|link|version|update|upgrade|up|dedupe)(?:\s|$)/,
  /^yarn$/,
  /^(?:pip3?|uv|poetry|pipx|conda|mamba|cargo|go|gem|bundle|brew|apt|apt-get|apk|dnf|yum|composer|mise|nix|pacman) (?:-\S+ )*(?:pip |profile )?(?:install|uninstall|add|remove|publish|get|update|upgrade|sync|lock|purge|tap|use|mod tidy|-S)(?:\s|$)/,
  /^(?:docker|podman|docker-compose) (?:compose )?(?:-\S{1,80} (?:[^-\s]\S{0,80} )?){0,6}(?:up|down|build|buildx|restart|run|push|rm|rmi|stop|start|kill|tag|pull|create|exec|load|import|system prune|volume (?:create|rm|prune)|network (?:create|rm)|image prune|container prune)(?:\s|$)/,
  /^(?:kubectl|helm|oc) (?:-\S{1,80} (?:[^-\s]\S{0,80} )?){0,6}(?:apply|create|delete|scale|patch|rollout (?:restart|undo|pause|resume)|install|upgrade|uninstall|rollback|label|annotate|cordon|drain|set|edit|expose)(?:\s|$)/,
  /^(?:terraform|tofu|pulumi) (?:apply|destroy|import|up|state (?:rm|mv)|taint|untaint|workspace (?:new|delete))(?:\s|$)/,
  /^(?:systemctl|service|launchctl|pm2|supervisorctl) (?:\S{1,60} ){0,3}?(?:start|stop|restart|enable|disable|reload|daemon-reload|load|unload|mask|unmask|delete)(?:\s|$)/,
  /^(?:rm|rmdir|mv|cp|ln|chmod|chown|truncate|dd|install|rsync|scp|dropdb|createdb|kill|pkill|killall|crontab|useradd|usermod|mount|umount|mkfs\S*|iptables|ufw) /,
  /^(?:make|just|task|gradle|gradlew|mvn|rake|mix|npm run|pnpm run|yarn run|pnpm|yarn|bun run)(?: -\S+)* (?:\S{1,40}[:-])?(?:install|deploy|publish|release|migrate|seed|clean|up|down|restart|db:\S{1,40})(?:[:-]\S{1,40})?(?:\s|$)/,
  /^(?:\.\/|\S*\/)?(?:deploy|release|publish|migrate|rollback)(?:\.(?:sh|py|js|ts|rb))?(?:\s|$)/,
  /^(?:bash|sh|node|python3?|ruby) \S{0,120}(?:deploy|release|publish|migrat\w{1,6}|rollback)\S{0,40}(?:\s|$)/,
  /^(?:prisma|alembic|knex|sequelize|sequelize-cli|flyway|rails|rake|drizzle-kit|typeorm|dbmate|goose|sqlx|diesel|liquibase|atlas) [^\n]{0,100}?(?:migrat|upgrade|downgrade|push|reset|seed|\bup\b|\bdown\b|rollback|apply)/,
  /^(?:python3? )?(?:\.\/)?manage\.py (?:migrate|flush|loaddata|createsuperuser|collectstatic)/,
  /^(?:psql|mysql|sqlite3|mongosh|clickhouse-client) [^\n]{0,400}?\b(?:insert|update|delete|alter|drop|create|truncate|grant|revoke)\b/i,
  /^(?:redis-cli|valkey-cli) (?:-\S{1,80} (?:[^-\s]\S{0,80} )?){0,6}(?:set|del|flush\w{2,3}|hset|lpush|rpush|expire|config set)\b/i,
  /^(?:curl|http|https|xh) [^\n]{0,400}?(?:-X ?|--request[ =])?\b(?:POST|PUT|PATCH|DELETE)\b/,
  /^curl (?:[^\n]{0,400} )?(?:-d|--data\S{0,12}|-F|--form|-T|--upload-file)[ =]/,
  /^(?:gh|glab) (?:pr|mr|issue|release|repo|workflow|run|secret|variable|label) (?:create|merge|close|edit|comment|review|delete|reopen|run|rerun|upload|set|fork|ready)(?:\s|$)/,
  /^(?:gh|glab) api [^\n]{0,400}?(?:-X|--method)[ =]?(?:POST|PUT|PATCH|DELETE)\b/,
  /^(?:aws|gcloud|az|fly|flyctl|vercel|wrangler|heroku|netlify|firebase|serverless|sls|cdk|ansible-playbook|twine|goreleaser|semantic-release|changeset|lerna|nx release)(?:\s[^\n]{0,200}?)?\b(?:deploy|create|delete|update|put|cp|sync|rm|publish|release|rollback|push|terminate|start|stop|scale|upload|version)(?:-\S{1,40})?(?:\s|$)/,
  /^ansible-playbook /,
  /^(?:vercel|goreleaser|semantic-release)(?: --prod)?$/,
]
/** Cleaning up what a run left behind changes nothing that anybody has to know. */
export const CLEANING =
  /^(?:rm|mv|cp|rmdir|ln|chmod|truncate|kill|rsync)\s.*(?:\/tmp\/|\/var\/folders\/|\bdist\b|\bbuild\b|node_modules|coverage|\.log\b|\.bak\b|\.tmp\b|__pycache__|\.cache\b)/

/** Runs of one purpose under many names: a later success of the purpose settles an earlier failure. */
export const PURPOSES: readonly (readonly [string, RegExp])[] = [
  [
    'test',
    /^(?:vitest|jest|mocha|pytest|py\.test|tox|nox|rspec|phpunit|ava|tap|playwright|cypress|unittest|tests?(?:[:-]\S+)?|t|check-tests|(?:go|cargo|mix|make|dotnet|swift|bun|deno|just|task|gradle|gradlew|mvn|rails|flutter|dart|composer) (?:test|tests|verify)(?:[:-]\S+)?|cargo nextest|node --test)$/,
  ],
  [
    'check',
    /^(?:tsc|tsgo|vue-tsc|svelte-check|typecheck|type-check|check-types|types|mypy|pyright|basedpyright|check(?:[:-]\S+)?|cargo check|go vet|deno check|make (?:check|typecheck))$/,
  ],
  [
    'lint',
    /^(?:eslint|biome|prettier|ruff|flake8|black|isort|stylelint|oxlint|rubocop|shellcheck|lint(?:[:-]\S+)?|format(?:[:-]\S+)?|fmt|golangci-lint|clippy|cargo (?:clippy|fmt)|make (?:lint|fmt|format)|pre-commit)$/,
  ],
  [
    'build',
    /^(?:build(?:[:-]\S+)?|compile|(?:cargo|go|make|gradle|gradlew|dotnet|swift|mix|bun|deno|flutter|just|task) (?:build|compile|assemble)|make(?: all)?|mvn (?:package|compile)|vite|webpack|esbuild|rollup|tsup|next|ninja|cmake)$/,
  ],
]
