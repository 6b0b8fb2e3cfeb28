# Of expect.sh: the table from what ansible-inventory (and, for templates, ansible -m debug) printed.
import configparser, json, os

NAMES = [("ansible_host", "ansible_ssh_host"), ("ansible_port", "ansible_ssh_port"), ("ansible_user", "ansible_ssh_user"),
         ("ansible_private_key_file", "ansible_ssh_private_key_file")]
ARGS = ["ansible_ssh_args", "ansible_ssh_common_args", "ansible_ssh_extra_args"]
listed = json.loads(os.environ["LIST"])
hosts = dict(listed["_meta"]["hostvars"])
for group, body in listed.items():
    for name in body.get("hosts", []) if group != "_meta" else []:
        hosts.setdefault(name, {})

defaults = {}
if os.environ.get("CONFIG"):
    cfg = configparser.RawConfigParser(inline_comment_prefixes=(";",))
    cfg.read(os.environ["CONFIG"])
    for section, key, name in [("defaults", "remote_user", "ansible_user"), ("defaults", "remote_port", "ansible_port"),
                               ("defaults", "private_key_file", "ansible_private_key_file"),
                               ("ssh_connection", "ssh_args", "ansible_ssh_args")]:
        if cfg.has_option(section, key):
            defaults[name] = cfg.get(section, key).replace("\n", " ")

resolved = {}
for line in os.environ.get("DEBUG", "").splitlines():
    # of "ansible -o", ansible-core's own: node1 | SUCCESS => {"ansible_host": "10.0.0.1", …}
    host, arrow, result = line.partition(" | SUCCESS => ")
    if arrow:
        resolved.setdefault(host, {}).update({k: v for k, v in json.loads(result).items() if k.startswith("ansible_")})

def value(host, variables, names):
    found = None
    for name in names:
        one = variables.get(name)
        if isinstance(one, str) and "{{" in one:
            one = resolved.get(host, {}).get(name) if isinstance(resolved.get(host), dict) else "!"
            one = "!" if one is None or (isinstance(one, str) and ("{{" in one or "VARIABLE IS NOT DEFINED" in one)) else one
        if isinstance(one, dict):
            one = "!"
        if one is not None and one != "":
            found = one
    if found is None:
        found = defaults.get(names[0])
    return "-" if found is None or found == "" else str(found)

for host in sorted(hosts):
    v = hosts[host]
    row = [value(host, v, names) for names in NAMES]
    args = [a for a in (value(host, v, [n]) for n in ARGS) if a != "-"]
    connection = str(v.get("ansible_connection", "ssh")).split(".")[-1]
    last = [] if connection in ("ssh", "smart", "paramiko", "paramiko_ssh", "libssh", "network_cli") else ["not-ssh"]
    print("\t".join([host, host if row[0] == "-" else row[0], row[1], row[2], row[3], " ".join(args) or "-"] + last))
