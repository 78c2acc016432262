"""What a player's process may ask of the kernel: the numbers of system calls on both processors.

allowed     with any arguments: reading, waiting, its own memory, its own signals, the time; ``allowed`` says why
looked at   allowed with harmless arguments only; ``filters`` says which
absent      answered with "no such call", so that the C library falls back to an older one
deadly      no program of a player's has a use for these, so to try ends the process
refused     everything else: "operation not permitted", which Python raises as PermissionError

Each entry is ``name:number on x86_64:number on aarch64``, a dash where that processor has no such call.  Only
the four lists above ``REFUSED`` make the filter: that last list names what must not be reachable, for the tests, and a
call that stands in no list is refused as well.
"""

from __future__ import annotations

from kibitz.sandbox.allowed import listed

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The processors known: the kernel's word for each, and its column in the lists."""
NEWEST = 450
"""Calls with greater numbers are younger than these lists, the same everywhere, and absent."""
X32 = 0x40000000
"""Marks a call of the x32 kind, which would reach the same calls by other numbers."""

ALLOWED, LOOKED_AT = listed(looked_at=False), listed(looked_at=True)
ABSENT = """
    clone3:435:435 openat2:437:437 rseq:334:293
"""
DEADLY = """
    ptrace:101:117 process_vm_readv:310:270 process_vm_writev:311:271 process_madvise:440:440
    process_mrelease:448:448 kcmp:312:272 pidfd_open:434:434 pidfd_getfd:438:438 pidfd_send_signal:424:424
    io_uring_setup:425:425 io_uring_enter:426:426 io_uring_register:427:427 bpf:321:280 perf_event_open:298:241
    userfaultfd:323:282 add_key:248:217 request_key:249:218 keyctl:250:219 mount:165:40 umount2:166:39
    pivot_root:155:41 open_tree:428:428 move_mount:429:429 fsopen:430:430 fsconfig:431:431 fsmount:432:432
    fspick:433:433 mount_setattr:442:442 name_to_handle_at:303:264 open_by_handle_at:304:265 fanotify_init:300:262
    fanotify_mark:301:263 init_module:175:105 finit_module:313:273 delete_module:176:106 kexec_load:246:104
    kexec_file_load:320:294 reboot:169:142 swapon:167:224 swapoff:168:225 acct:163:89 syslog:103:116 quotactl:179:60
    quotactl_fd:443:443 iopl:172:- ioperm:173:- modify_ldt:154:- lookup_dcookie:212:18 seccomp:317:277
    landlock_create_ruleset:444:444 landlock_add_rule:445:445 landlock_restrict_self:446:446 migrate_pages:256:238
    move_pages:279:239 vmsplice:278:75 execveat:322:281 memfd_secret:447:447
    settimeofday:164:170 clock_settime:227:112 adjtimex:159:171 clock_adjtime:305:266 sethostname:170:161
    setdomainname:171:162
"""
REFUSED = """
    pipe:22:- pipe2:293:59 getpriority:140:141 sched_getparam:143:121 sched_getscheduler:145:120 sched_getattr:315:275
    sched_rr_get_interval:148:127 get_robust_list:274:100 getpgid:121:155 getsid:124:156 getpgrp:111:-
    clone:56:220 fork:57:- vfork:58:- execve:59:221 kill:62:129 tkill:200:130 rt_sigqueueinfo:129:138
    rt_tgsigqueueinfo:297:240 socket:41:198 socketpair:53:199 connect:42:203 bind:49:200 listen:50:201 accept:43:202
    accept4:288:242 sendto:44:206 sendmsg:46:211 sendmmsg:307:269 memfd_create:319:279 shmget:29:194 shmat:30:196
    semget:64:190 msgget:68:186 mq_open:240:180 unshare:272:97 setns:308:268 chroot:161:51 chmod:90:- fchmod:91:52
    fchmodat:268:53 chown:92:- fchownat:260:54 mkdir:83:- mkdirat:258:34 unlink:87:- unlinkat:263:35 rename:82:-
    renameat2:316:276 link:86:- linkat:265:37 symlinkat:266:36 mknodat:259:33 truncate:76:45 ftruncate:77:46
    fallocate:285:47 utimensat:280:88 setxattr:188:5 flock:73:32 inotify_init1:294:26 timer_create:222:107
    eventfd2:290:19 epoll_create1:291:20 prctl:157:167 sched_setaffinity:203:122 sched_setscheduler:144:119
    setpriority:141:140 ioprio_set:251:30 mlock:149:228 mlock2:325:284 membarrier:324:283 mincore:27:232
    setuid:105:146 setresuid:117:147 setgroups:116:159 setsid:112:157 chdir:80:49 creat:85:- personality:135:92
    arch_prctl:158:- splice:275:76 tee:276:77 copy_file_range:326:285 sendfile:40:71 signalfd4:289:74
    timerfd_create:283:85 sysinfo:99:179 set_mempolicy_home_node:450:450 capset:126:91 setrlimit:160:164
    mbind:237:235 set_mempolicy:238:237 preadv2:327:286 fadvise64:221:223 readahead:187:213 statfs:137:43 fstatfs:138:44
    sync:162:81 syncfs:306:267 fsync:74:82 fdatasync:75:83 msync:26:227 set_robust_list:273:99 getcpu:309:168
"""


def numbers(listed: str, machine: str) -> dict[str, int]:
    """The calls of a list that this processor has.

    >>> numbers("read:0:63 open:2:-", "aarch64")
    {'read': 63}
    """
    column = MACHINES[machine][1]
    entries = (entry.split(":") for entry in listed.split())
    return {name: int(found[column]) for name, *found in entries if found[column] != "-"}
