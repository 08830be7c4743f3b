-- Lets the next process migrate.
do release_lock(concat('idem:', left(sha2(concat_ws(':', database(), 'migrations'), 256), 40)));
