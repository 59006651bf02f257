/* none */ typedef int support_unused;
